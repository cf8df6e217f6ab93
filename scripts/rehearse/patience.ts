/** Limits a wait by the number of checks without progress, not by its total time, so that slow machines do not fail. */
import { setTimeout as wait } from 'node:timers/promises'

/** Pause between two checks, in milliseconds. */
const PAUSE = 250
/** Max consecutive checks without progress. They take two minutes, longer than any delay before a first retry. */
const STILL = 500
/** Max number of checks in total, even if there is progress at every one. */
const MOST = 5_000

interface Bounds {
  readonly pause?: number
  readonly still?: number
  readonly most?: number
  /** Aborting it rejects the wait. */
  readonly end?: AbortSignal
}

/** Returns a text that changes whenever there is progress. */
export type ReadSigns = () => string

/**
 * Pauses, then checks for progress. Throws after too many checks in total or without progress. The error contains
 * `what`, a description of the awaited condition.
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

/** Awaits the work. Rejects when progress stops. */
export async function awaitWork<Result>(work: Promise<Result>, what: string, look: Look): Promise<Result> {
  const done = work.then((result) => ({ result }))
  for (;;) {
    const end = await Promise.race([done, look(what)])
    if (end !== undefined) return end.result
  }
}
