/**
 * Limits the bytes of objects that an isolate processes at a time: if an isolate runs out of memory, all its requests
 * fail.
 */

export interface WorkRoom {
  /** `take` throws if the bytes do not fit beside other work. They are free again when the work ends. */
  run<Result>(work: (take: (bytes: number) => void) => Promise<Result>): Promise<Result>
}

/** A Worker has 128 MB, and memory holds several copies of an object while its page is made and sent. */
const MAX_BYTES = 24 * 1024 * 1024

export function createWorkRoom(most = MAX_BYTES): WorkRoom {
  let taken = 0
  return {
    run: async (work) => {
      let own = 0
      const take = (bytes: number): void => {
        // An object that is larger than the room is processed alone.
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
