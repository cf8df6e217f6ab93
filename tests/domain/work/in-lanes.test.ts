import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inLanes } from '../../../src/domain/work/in-lanes.ts'

test('each item is worked on once, so many at a time', async () => {
  const done: number[] = []
  let [running, most] = [0, 0]
  await inLanes([1, 2, 3, 4, 5], 2, async (item) => {
    running += 1
    most = Math.max(most, running)
    await turn()
    running -= 1
    done.push(item)
  })
  expect(done.toSorted()).toEqual([1, 2, 3, 4, 5])
  expect(most).toBe(2)
})

test('an error begins no further item, and is thrown when the others have ended', async () => {
  const ended: number[] = []
  const work = inLanes([1, 2, 3, 4], 2, async (item) => {
    if (item === 1) throw new Error('broken')
    await turn()
    ended.push(item)
  })
  await expect(work).rejects.toThrow('broken')
  expect(ended).toEqual([2])
})
