/**
 * Limits the bytes of objects that an isolate processes at a time: if an isolate runs out of memory, all its requests
 * fail.
 */

export interface WorkRoom {
  /**
   * `take` reserves bytes until the work ends. It throws if bytes are already reserved and the total would exceed the
   * limit.
   */
  run<Result>(work: (take: (bytes: number) => void) => Promise<Result>): Promise<Result>
}

/**
 * Much less than the 128 MB of a Worker, because several copies of an object are in memory while its page is made and
 * sent.
 */
const MAX_BYTES = 24 * 1024 * 1024

export function createWorkRoom(most = MAX_BYTES): WorkRoom {
  let taken = 0
  return {
    run: async (work) => {
      let own = 0
      const take = (bytes: number): void => {
        // An object that is larger than the limit is processed alone.
        if (taken > 0 && taken + bytes > most)
          throw new Error(`no memory for another object: other requests use ${taken} bytes of objects`)
        own += bytes
        taken += bytes
      }
      try {
        return await work(take)
      } finally {
        taken -= own
      }
    },
  }
}
