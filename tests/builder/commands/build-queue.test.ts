import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createBuildQueue } from '../../../src/builder/commands/service/build-queue.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Builds that end when the test resolves them. */
function createBuilds() {
  const ends: ((retry: number | null) => void)[] = []
  let begun = 0
  return {
    build: () => {
      begun += 1
      return new Promise<number | null>((resolve) => void ends.push(resolve))
    },
    end: async (retry: number | null = null) => {
      ends.shift()?.(retry)
      await vi.advanceTimersByTimeAsync(0)
    },
    count: () => ({ begun, running: ends.length }),
  }
}

it('runs one build at a time, and one more for all requests during a build', async () => {
  const { build, end, count } = createBuilds()
  const turns = createBuildQueue(build)
  expect([turns.ask(), turns.ask(), turns.ask(), turns.ask()]).toEqual([true, true, false, false])
  expect(count()).toEqual({ begun: 1, running: 1 })
  await end()
  expect(count()).toEqual({ begun: 2, running: 1 })
  await end()
  expect(count()).toEqual({ begun: 2, running: 0 })
  turns.ask()
  expect(count()).toEqual({ begun: 3, running: 1 })
})

it('builds again after the delay that the last build returned', async () => {
  const { build, end, count } = createBuilds()
  createBuildQueue(build).ask()
  await end(50)
  await vi.advanceTimersByTimeAsync(49)
  expect(count().begun).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(count().begun).toBe(2)
})

it('ends after the current build and starts no other', async () => {
  const { build, end, count } = createBuilds()
  const turns = createBuildQueue(build)
  turns.ask()
  turns.ask()
  let isOver = false
  const over = turns.end().then(() => (isOver = true))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(isOver).toBe(false)
  await end(10)
  await over
  expect(vi.getTimerCount()).toBe(0)
  expect(count()).toEqual({ begun: 1, running: 0 })
  expect(turns.ask()).toBe(false)
})

it('starts no build after a delay in which it is ended', async () => {
  const { build, end, count } = createBuilds()
  const turns = createBuildQueue(build)
  turns.ask()
  await end(50)
  await turns.end()
  expect(vi.getTimerCount()).toBe(0)
  expect(count().begun).toBe(1)
})
