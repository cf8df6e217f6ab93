/** One build at a time, and at most one that waits: it will find everything that came until it begins. */
import { setTimeout as wait } from 'node:timers/promises'

export interface BuildQueue {
  /** `false` when one waited already. */
  ask(): boolean
  /** Settles when the build under way has ended; none begins after it. */
  end(): Promise<void>
}

/** `build` never throws; it returns the delay in milliseconds before the next try, `null` for none. */
export function createBuildQueue(build: () => Promise<number | null>): BuildQueue {
  const over = new AbortController()
  let isWaiting = false
  let running: Promise<void> | null = null
  const run = async (): Promise<void> => {
    while (isWaiting && !over.signal.aborted) {
      isWaiting = false
      const delay = await build()
      if (delay !== null) void askLater(delay)
    }
    running = null
  }
  const ask = (): boolean => {
    if (isWaiting || over.signal.aborted) return false
    isWaiting = true
    running ??= run()
    return true
  }
  const askLater = async (delay: number): Promise<void> => {
    // That it is over is no news here.
    await wait(delay, undefined, { signal: over.signal }).then(ask, () => {})
  }
  return {
    ask,
    end: async () => {
      over.abort()
      await running
    },
  }
}
