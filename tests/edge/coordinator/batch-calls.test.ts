import { expect, it } from 'vitest'
import { batchCalls } from '../../../src/edge/coordinator/batch-calls.ts'

it('runs concurrent calls as one batch and answers each', async () => {
  const rounds: (readonly number[])[] = []
  const double = batchCalls<number, number>((calls) => {
    rounds.push(calls)
    return calls.map((call) => 2 * call)
  })
  expect(await Promise.all([double(1), double(2), double(3)])).toEqual([2, 4, 6])
  expect(await double(4)).toBe(8)
  expect(rounds).toEqual([[1, 2, 3], [4]])
})

it('rejects every call of a failed batch, and no later call', async () => {
  let isBroken = true
  const call = batchCalls<string, string>((calls) => {
    if (isBroken) throw new Error('disk full')
    return calls
  })
  const first = await Promise.allSettled([call('a'), call('b')])
  expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  isBroken = false
  expect(await call('c')).toBe('c')
})
