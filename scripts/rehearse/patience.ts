/** Limits a wait by the number of looks without progress, not by its total time, so that slow machines do not fail. */
import { setTimeout as wait } from 'node:timers/promises'

/** Pause between two looks, in milliseconds. */
const PAUSE = 250
/** Max looks in a row at which nothing has changed: two minutes, longer than the pause before any first retry. */
const STILL = 500
/** Max number of looks in total, even if something changes at every one. */
const MOST = 5_000

export interface Bounds {
  readonly pause?: number
  readonly still?: number
  readonly most?: number
  /** Ends the wait. */
  readonly end?: AbortSignal
}

/** Returns a text that changes whenever there is progress. */
export type ReadSigns = () => string

/** Pauses, then looks for progress. Throws when there was none for too long, and says that `what` is missing. */
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
      throw new Error(`nothing changed during ${still} checks, and this is missing: ${what}`)
    if (looks >= most) throw new Error(`after ${most} checks this is still missing: ${what}`)
  }
}

/** Awaits the work. Rejects when there is no more progress. */
export async function awaitWork<Result>(work: Promise<Result>, what: string, look: Look): Promise<Result> {
  const done = work.then((result) => ({ result }))
  for (;;) {
    const end = await Promise.race([done, look(what)])
    if (end !== undefined) return end.result
  }
}
