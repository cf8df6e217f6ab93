import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Left } from '../../../../src/builder/commands/follow/follow.ts'
import { createFollower } from '../../../../src/builder/commands/follow/follow.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A follower whose runs end when the test ends them. */
function startFollower() {
  const ends: ((left: Left<string> | null) => void)[] = []
  const begun: string[] = []
  const over = new AbortController()
  const { ring, run } = createFollower<string>({
    join: (one, other) => `${one}+${other}`,
    work: (todo) => {
      begun.push(todo)
      return new Promise((resolve) => void ends.push(resolve))
    },
    signal: over.signal,
  })
  const pass = (ms = 0) => vi.advanceTimersByTimeAsync(ms)
  return {
    ring,
    pass,
    begun,
    end: async (left: Left<string> | null = null) => {
      ends.shift()?.(left)
      await pass()
    },
    over,
    ended: run(),
  }
}

it('runs once at a time, and once more for all that rings during a run', async () => {
  const { ring, pass, begun, end } = startFollower()
  expect(ring('a')).toBe(true)
  await pass()
  expect([ring('b'), ring('c'), ring('d')]).toEqual([true, false, false])
  await pass()
  expect(begun).toEqual(['a'])
  await end()
  expect(begun).toEqual(['a', 'b+c+d'])
  await end()
  ring('e')
  await pass()
  expect(begun).toEqual(['a', 'b+c+d', 'e'])
})

it('tries what is left again after its pause', async () => {
  const { ring, pass, begun, end } = startFollower()
  ring('a')
  await pass()
  await end({ todo: 'left', pause: 50 })
  await pass(49)
  expect(begun).toEqual(['a'])
  await pass(1)
  expect(begun).toEqual(['a', 'left'])
})

it('tries what is left again with the next ring, which ends the pause', async () => {
  const { ring, pass, begun, end } = startFollower()
  ring('a')
  await pass()
  await end({ todo: 'left', pause: Infinity })
  await pass(100_000)
  ring('b')
  await pass()
  expect(begun).toEqual(['a', 'b+left'])
  ring('c')
  await end({ todo: 'left', pause: 50 })
  expect(begun).toEqual(['a', 'b+left', 'c+left'])
  expect(vi.getTimerCount()).toBe(0)
})

it('ends after the current run and begins no other', async () => {
  const { ring, pass, begun, end, over, ended } = startFollower()
  ring('a')
  await pass()
  ring('b')
  let isOver = false
  void ended.then(() => (isOver = true))
  over.abort()
  await pass(1_000)
  expect(isOver).toBe(false)
  await end({ todo: 'left', pause: 10 })
  await ended
  expect(vi.getTimerCount()).toBe(0)
  expect(begun).toEqual(['a'])
  expect(ring('c')).toBe(false)
})

it('begins no run after a pause in which it is ended', async () => {
  const { ring, pass, begun, end, over, ended } = startFollower()
  ring('a')
  await pass()
  await end({ todo: 'left', pause: 50 })
  over.abort()
  await ended
  expect(vi.getTimerCount()).toBe(0)
  expect(begun).toEqual(['a'])
})
