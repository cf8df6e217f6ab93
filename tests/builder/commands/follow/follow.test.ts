import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createFollower } from '../../../../src/builder/commands/follow/follow.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A follower whose runs end when the test ends them. */
function startFollower() {
  const ends: ((pause: number | null) => void)[] = []
  const over = new AbortController()
  let begun = 0
  const { ring, run } = createFollower({
    work: () => {
      begun += 1
      return new Promise((resolve) => void ends.push(resolve))
    },
    signal: over.signal,
  })
  const pass = (ms = 0) => vi.advanceTimersByTimeAsync(ms)
  return {
    ring,
    pass,
    countBegun: () => begun,
    end: async (pause: number | null = null) => {
      ends.shift()?.(pause)
      await pass()
    },
    over,
    ended: run(),
  }
}

it('A follower runs once at a time, and once more for all that rings during a run', async () => {
  const { ring, pass, countBegun, end } = startFollower()
  ring()
  await pass()
  for (let times = 0; times < 3; times += 1) ring()
  await pass()
  expect(countBegun()).toBe(1)
  await end()
  expect(countBegun()).toBe(2)
  await end()
  await pass(1_000_000)
  expect(countBegun()).toBe(2)
  ring()
  await pass()
  expect(countBegun()).toBe(3)
})

it('A follower tries again after a pause, which a ring ends early', async () => {
  const { ring, pass, countBegun, end } = startFollower()
  ring()
  await pass()
  await end(50)
  await pass(49)
  expect(countBegun()).toBe(1)
  await pass(1)
  expect(countBegun()).toBe(2)
  await end(50)
  ring()
  await pass()
  expect(countBegun()).toBe(3)
  ring()
  await end(50)
  expect(countBegun()).toBe(4)
  expect(vi.getTimerCount()).toBe(0)
})

it('A follower ends after the current run, and begins no other', async () => {
  const { ring, pass, countBegun, end, over, ended } = startFollower()
  ring()
  await pass()
  ring()
  let isOver = false
  void ended.then(() => (isOver = true))
  over.abort()
  await pass(1_000)
  expect(isOver).toBe(false)
  await end(10)
  await ended
  expect([vi.getTimerCount(), countBegun()]).toEqual([0, 1])
})

it('A follower that is ended in a pause begins no run', async () => {
  const { ring, pass, countBegun, end, over, ended } = startFollower()
  ring()
  await pass()
  await end(50)
  over.abort()
  await ended
  expect([vi.getTimerCount(), countBegun()]).toEqual([0, 1])
})
