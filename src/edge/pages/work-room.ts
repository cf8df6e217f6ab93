/**
 * Limits the bytes of objects that an isolate processes at a time: if an isolate runs out of memory, all its requests
 * fail.
 */

export interface WorkRoom {
  /**
   * `take` reserves bytes until the work ends, or for `LONGEST` if the runtime drops the work. It throws if bytes are
   * already reserved and the total would exceed the limit.
   */
  run<Result>(work: (take: (bytes: number) => void) => Promise<Result>): Promise<Result>
}

interface Reservation {
  readonly bytes: number
  /** In ms. */
  readonly until: number
}

/**
 * Much less than the 128 MB of a Worker, because several copies of an object are in memory while its page is made and
 * sent.
 */
const MAX_BYTES = 24 * 1024 * 1024

/**
 * Max time of a reservation, in ms. The runtime drops the work of a request whose visitor disconnects, and work that
 * continues for this long after the response. Dropped work never settles, so no `finally` runs.
 * Source: https://developers.cloudflare.com/workers/runtime-apis/context/#waituntil
 */
const LONGEST = 30_000

/** `now` returns milliseconds. */
export function createWorkRoom(now: () => number, most = MAX_BYTES): WorkRoom {
  const held = new Set<Reservation>()
  const reserve = (bytes: number): Reservation => {
    for (const one of held) if (now() >= one.until) held.delete(one)
    const taken = [...held].reduce((total, one) => total + one.bytes, 0)
    // An object that is larger than the limit is processed alone.
    if (taken > 0 && taken + bytes > most)
      throw new Error(`no memory for another object: other requests use ${taken} bytes of objects`)
    const reservation = { bytes, until: now() + LONGEST }
    held.add(reservation)
    return reservation
  }
  return {
    run: async (work) => {
      const own: Reservation[] = []
      try {
        return await work((bytes) => void own.push(reserve(bytes)))
      } finally {
        for (const one of own) held.delete(one)
      }
    },
  }
}
