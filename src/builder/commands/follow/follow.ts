/** Runs work at each change: one run at a time. Combines all changes during a run into one further run. */
import { followSource } from '../../sources/source-kinds.ts'

interface Following {
  /** Returns milliseconds until the next try, unless `ring` is called first; `null` if only `ring` starts one. */
  readonly work: () => Promise<number | null>
  readonly signal: AbortSignal
}

interface Bell {
  /** Asks for a run, unless one was already asked for. */
  ring(): void
  /** Resolves when the signal has aborted and the current run has ended. Rejects if the work rejects. */
  run(): Promise<void>
}

interface FollowedSource extends Following {
  /** Name of the source; `null` if it is not followed. */
  readonly source: string | null
  readonly warn: (message: string) => void
  /** Calls its argument for other reasons to work. Returns a function that ends that. */
  readonly wake?: (ring: () => void) => () => void
}

/** Works at once and after every change of the source, until the signal aborts between two runs. */
export async function followChanges({ source, warn, wake, ...following }: FollowedSource): Promise<void> {
  const ending = new AbortController()
  const signal = AbortSignal.any([following.signal, ending.signal])
  const { ring, run } = createFollower({ ...following, signal })
  const endWaking = wake?.(ring)
  try {
    if (source !== null) await followSource(source, { signal, onTrouble: warn, onChange: ring })
    ring()
    await run()
  } finally {
    endWaking?.()
    // Otherwise following the source would keep the process alive.
    ending.abort()
  }
}

export function createFollower({ work, signal }: Following): Bell {
  let isAsked = false
  let bell = Promise.withResolvers<void>()
  const ring = (): void => {
    isAsked = true
    bell.resolve()
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
