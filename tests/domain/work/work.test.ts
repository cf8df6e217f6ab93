import { setImmediate as turn } from 'node:timers/promises'
import { growDelay } from '../../../src/domain/work/backoff.ts'
import { expect, test } from 'vitest'
import { divide, inLanes } from '../../../src/domain/work/batches.ts'
import { lookAgain, tryAgain } from '../../../src/domain/work/try-again.ts'

const weight = { most: 10, measure: (item: number) => item }

test('a batch has at most so many items', () => {
  expect([...divide([1, 2, 3, 4, 5], 2)]).toEqual([[1, 2], [3, 4], [5]])
  expect([...divide([1, 2], 2)]).toEqual([[1, 2]])
  expect([...divide([], 2)]).toEqual([])
})

test('a batch stays within each limit, unless it is one item', () => {
  const count = { most: 2, measure: () => 1 }
  expect([...divide([4, 6, 1], 9, weight)]).toEqual([[4, 6], [1]])
  expect([...divide([11, 1, 12], 9, weight)]).toEqual([[11], [1], [12]])
  expect([...divide([1, 1, 1, 9, 2], 9, weight, count)]).toEqual([[1, 1], [1, 9], [2]])
})

test('items are taken one at a time for batches', () => {
  const taken: number[] = []
  function* take(): Generator<number> {
    for (const item of [1, 2, 3, 4]) {
      taken.push(item)
      yield item
    }
  }
  divide(take(), 2).next()
  expect(taken).toEqual([1, 2, 3])
})

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

function createWait() {
  const pauses: number[] = []
  return { pauses, wait: async (ms: number) => void pauses.push(ms) }
}

function failTimes(count: number): () => Promise<string> {
  let tries = 0
  return async () => {
    tries += 1
    if (tries <= count) throw new Error(`try ${tries}`)
    return 'done'
  }
}

test('work is repeated after a pause that the number of failures decides', async () => {
  const { pauses, wait } = createWait()
  const findPause = (failures: number): number => failures * 10
  expect(await tryAgain(failTimes(2), { most: 3, findPause, wait })).toBe('done')
  expect(pauses).toEqual([10, 20])
})

test('the error of the last try is thrown, or the first one that does not pass', async () => {
  await expect(tryAgain(failTimes(5), { most: 2 })).rejects.toThrow('try 2')
  await expect(tryAgain(failTimes(5), { most: 4, mayPass: () => false })).rejects.toThrow('try 1')
})

test('looks at a value go on until it is done or the pauses end', async () => {
  const { pauses, wait } = createWait()
  let value = 0
  const look = async (): Promise<number> => (value += 1)
  expect(await lookAgain(look, { isDone: (seen) => seen === 2, pauses: [5, 6, 7], wait })).toBe(2)
  expect(await lookAgain(look, { isDone: () => false, pauses: [5, 6], wait })).toBe(5)
  expect(pauses).toEqual([5, 5, 6])
})

test.each([
  [1, 1_000],
  [2, 2_000],
  [6, 32_000],
  [7, 60_000],
  [5_000, 60_000],
])('the pause after %i failures doubles up to its limit: %i', (failures, pause) => {
  expect(growDelay({ first: 1_000, longest: 60_000 }, failures, 0.5)).toBe(pause)
})
