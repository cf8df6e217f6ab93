/** Runs work each time `ring` is called: one run at a time. Combines all calls during a run into one further run. */

interface Following {
  /** Returns milliseconds until the next try, unless `ring` is called first; `null` if only `ring` starts one. */
  readonly work: () => Promise<number | null>
  readonly signal: AbortSignal
}

interface Bell {
  /** Asks for a run. Returns `false` if one was already asked for, or if the signal has aborted. */
  ring(): boolean
  /** Resolves when the signal has aborted and the current run has ended. Rejects if the work rejects. */
  run(): Promise<void>
}

export function createFollower({ work, signal }: Following): Bell {
  let isAsked = false
  let bell = Promise.withResolvers<void>()
  const ring = (): boolean => {
    if (signal.aborted || isAsked) return false
    isAsked = true
    bell.resolve()
    return true
  }
  const run = async (): Promise<void> => {
    signal.addEventListener('abort', () => bell.resolve())
    let pause: number | null = null
    while (!signal.aborted) {
      if (!isAsked) await waitFor(bell.promise, pause)
      if (signal.aborted) return
      isAsked = false
      bell = Promise.withResolvers()
      pause = await work()
    }
  }
  return { ring, run }
}

async function waitFor(bell: Promise<void>, pause: number | null): Promise<void> {
  if (pause === null) return bell
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, pause)
  await Promise.race([bell, promise])
  clearTimeout(timer)
}
