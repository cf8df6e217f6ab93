/** Bounds a wait by looks, not by time: a machine that is five times slower needs about as many of them. */
import { setTimeout as wait } from 'node:timers/promises'

/** Pause between two looks, in milliseconds. */
const PAUSE = 250
/** Looks in a row at which nothing has moved: two minutes, longer than the pauses before the first tries of anything. */
const STILL = 500
/** Looks in all, though something moves at each. */
const MOST = 5_000

export interface Bounds {
  readonly pause?: number
  readonly still?: number
  readonly most?: number
  /** Ends the wait. */
  readonly end?: AbortSignal
}

/** Returns a text that changes whenever something moves. */
export type ReadSigns = () => string

/** Waits until the next look. Throws when it is hopeless that `what` comes true. */
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
    if (looks >= most) throw new Error(`after ${most} looks still not: ${what}`)
  }
}

/** Awaits the work. Rejects when nothing moves any more. */
export async function awaitWork<Result>(work: Promise<Result>, what: string, look: Look): Promise<Result> {
  const done = work.then((result) => ({ result }))
  for (;;) {
    const end = await Promise.race([done, look(what)])
    if (end !== undefined) return end.result
  }
}
