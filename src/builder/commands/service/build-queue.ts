/** Runs one build at a time, with at most one waiting: that one covers all requests until its start. */

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
  let later: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  const run = async (): Promise<void> => {
    while (isWaiting && !over.signal.aborted) {
      isWaiting = false
      const delay = await build()
      if (delay !== null) askLater(delay)
    }
    running = null
  }
  const ask = (): boolean => {
    if (isWaiting || over.signal.aborted) return false
    isWaiting = true
    running ??= run()
    return true
  }
  const askLater = (delay: number): void => {
    clearTimeout(later)
    if (!over.signal.aborted) later = setTimeout(ask, delay)
  }
  return {
    ask,
    end: async () => {
      over.abort()
      clearTimeout(later)
      await running
    },
  }
}
