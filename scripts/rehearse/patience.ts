/** Limits a wait by the number of checks, in total and without progress. A time limit would fail on slow machines. */
import { setTimeout as wait } from 'node:timers/promises'

/** Pause between two checks, in milliseconds. */
const PAUSE = 250
/**
 * Number of consecutive checks without progress after which a wait fails. They take at least two minutes, longer than
 * any delay before a first retry.
 */
const STILL = 500
/** Number of checks after which a wait fails, even if there was progress at every one. */
const MOST = 5_000

interface Bounds {
  readonly pause?: number
  readonly still?: number
  readonly most?: number
  /** Aborting it rejects the wait. */
  readonly end?: AbortSignal
}

/** Returns a text. If it differs from the previous one, there was progress. */
export type ReadSigns = () => string

/**
 * Pauses, then checks for progress. Rejects after too many checks in total or without progress, with an error that
 * contains `what`, a description of the awaited condition.
 */
export type Look = (what: string) => Promise<void>

export function createPatience(
  readSigns: ReadSigns,
  { pause = PAUSE, still = STILL, most = MOST, end }: Bounds = {},
): Look {
  let signs = readSigns()
  let looks = 0
  let moved = 0
  return async (what) => {
    await wait(pause, undefined, { ...(end !== undefined && { signal: end }) })
    looks += 1
    const now = readSigns()
    if (now !== signs) moved = looks
    signs = now
    if (looks - moved >= still)
      throw new Error(`nothing changed during ${still} checks while waiting for this: ${what}`)
    if (looks >= most) throw new Error(`after ${most} checks still waiting for this: ${what}`)
  }
}

/** Returns the result of the work. Rejects if the work fails, or if `look` rejects. */
export async function awaitWork<Result>(work: Promise<Result>, what: string, look: Look): Promise<Result> {
  const done = work.then((result) => ({ result }))
  for (;;) {
    const end = await Promise.race([done, look(what)])
    if (end !== undefined) return end.result
  }
}
