/** Runs work whenever a bell rings: one run at a time, then one more for all rings during that run. */

export interface Following<Todo> {
  /** Combines the work of two rings. */
  readonly join: (one: Todo, other: Todo) => Todo
  /** Does the work. Returns what is left to retry; `null` if nothing is. */
  readonly work: (todo: Todo) => Promise<Left<Todo> | null>
  readonly signal: AbortSignal
}

export interface Left<Todo> {
  readonly todo: Todo
  /** Milliseconds before the next try, unless the bell rings first. `Infinity` waits for the bell. */
  readonly pause: number
}

export interface Bell<Todo> {
  /**
   * Adds work for the next run. Returns `false` if other work is already waiting for it, or after the signal has
   * aborted.
   */
  ring(todo: Todo): boolean
  /** Resolves when the signal has aborted and the current run has ended. Rejects with an error of the work. */
  run(): Promise<void>
}

export function createFollower<Todo>({ join, work, signal }: Following<Todo>): Bell<Todo> {
  let waiting: Todo | null = null
  let bell = Promise.withResolvers<void>()
  const add = (todo: Todo): void => void (waiting = waiting === null ? todo : join(waiting, todo))
  const ring = (todo: Todo): boolean => {
    if (signal.aborted) return false
    const isNew = waiting === null
    add(todo)
    bell.resolve()
    return isNew
  }
  const runOnce = async (todo: Todo): Promise<void> => {
    waiting = null
    const left = await work(todo)
    if (left === null) return
    // Work that was added meanwhile starts without a pause.
    if (waiting === null) await pauseUntil(bell.promise, left.pause)
    add(left.todo)
  }
  const run = async (): Promise<void> => {
    signal.addEventListener('abort', () => bell.resolve())
    while (!signal.aborted) {
      bell = Promise.withResolvers()
      if (waiting === null) await bell.promise
      else await runOnce(waiting)
    }
  }
  return { ring, run }
}

async function pauseUntil(bell: Promise<void>, pause: number): Promise<void> {
  if (pause === Infinity) return bell
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, pause)
  await Promise.race([bell, promise])
  clearTimeout(timer)
}
