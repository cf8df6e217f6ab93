import { expect, test } from 'vitest'
import { lookAgain, tryAgain } from '../../../src/domain/work/try-again.ts'

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

test('looks go on until a value is done or the pauses end', async () => {
  const { pauses, wait } = createWait()
  let value = 0
  const look = async (): Promise<number> => (value += 1)
  expect(await lookAgain(look, { isDone: (seen) => seen === 2, pauses: [5, 6, 7], wait })).toBe(2)
  expect(await lookAgain(look, { isDone: () => false, pauses: [5, 6], wait })).toBe(5)
  expect(pauses).toEqual([5, 5, 6])
})
