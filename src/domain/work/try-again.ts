/** Repeats work that may succeed later. */

export interface Tries {
  /** Max number of tries. */
  readonly most: number
  /** Returns the pause after this number of failures, in milliseconds; 0 by default. */
  readonly findPause?: (failures: number) => number
  /** Whether another try may succeed; always by default. */
  readonly mayPass?: (error: unknown) => boolean
  readonly wait?: (ms: number) => Promise<unknown>
}

/** Throws the error of the last try, or the first error that `mayPass` does not accept. */
export async function tryAgain<Result>(
  work: () => Promise<Result>,
  { most, findPause = () => 0, mayPass = () => true, wait = sleep }: Tries,
): Promise<Result> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await work()
    } catch (error) {
      if (failures === most || !mayPass(error)) throw error
    }
    const pause = findPause(failures)
    if (pause > 0) await wait(pause)
  }
}

interface Looks<Value> {
  readonly isDone: (value: Value) => boolean
  /** Pauses between two calls of `look`, in milliseconds. */
  readonly pauses: Iterable<number>
  readonly wait?: (ms: number) => Promise<unknown>
}

/**
 * Calls `look`, and again after each pause, until `isDone` accepts its value. Returns the last value, even if the
 * pauses ran out first.
 */
export async function lookAgain<Value>(
  look: () => Promise<Value>,
  { isDone, pauses, wait = sleep }: Looks<Value>,
): Promise<Value> {
  let value = await look()
  for (const pause of pauses) {
    if (isDone(value)) break
    await wait(pause)
    value = await look()
  }
  return value
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms))
}
