/** Runs one build at a time, with at most one waiting: that one covers all requests until its start. */
import { setTimeout as wait } from 'node:timers/promises'

export interface BuildQueue {
  /** Requests a build. Returns `false` when one is waiting already, or after `end`. */
  ask(): boolean
  /** Resolves when the current build has ended. No build starts afterwards. */
  end(): Promise<void>
}

/** `build` never throws. It returns the delay before another build in milliseconds, or `null`. */
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
    // `end` rejects the wait: no build follows.
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
