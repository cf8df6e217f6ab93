/** Runs work each time `ring` is called: one run at a time. Combines all calls during a run into one further run. */

interface Following<Todo> {
  /** Combines two pieces of work into one. */
  readonly join: (one: Todo, other: Todo) => Todo
  /** Does the work. Returns the work to retry; `null` if there is none. */
  readonly work: (todo: Todo) => Promise<Left<Todo> | null>
  readonly signal: AbortSignal
}

export interface Left<Todo> {
  readonly todo: Todo
  /**
   * Milliseconds until the next try, unless `ring` is called first. With `Infinity`, only a call of `ring` starts it.
   */
  readonly pause: number
}

interface Bell<Todo> {
  /**
   * Adds work to the next run. Returns `false` if the next run already had work, which is then combined with the new
   * work. After the signal has aborted, adds nothing and returns `false`.
   */
  ring(todo: Todo): boolean
  /** Resolves when the signal has aborted and the current run has ended. Rejects if the work rejects. */
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
