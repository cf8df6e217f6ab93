/**
 * Bounds the memory of bodies that are being read from unknown senders. Above the limit, drops the bodies that began
 * first, so that a small body that arrives all at once is read even while many slow bodies are pending.
 */

export interface HeldBody {
  /** Replaced by a larger array as the body grows. */
  bytes: Uint8Array
}

export interface BodyRoom {
  enter(body: HeldBody): void
  /** Records the size of a body that has grown. May drop bodies, whose bytes are then freed at once. */
  count(body: HeldBody): void
  isDropped(body: HeldBody): boolean
  leave(body: HeldBody): void
}

/** `size` is the max size of all bodies together, in bytes. */
export function createBodyRoom(size: number): BodyRoom {
  /** The counted bytes of each body, in the order in which the bodies began. */
  const bodies = new Map<HeldBody, number>()
  let held = 0
  const count = (body: HeldBody, bytes: number): void => {
    held += bytes - (bodies.get(body) ?? 0)
    bodies.set(body, bytes)
  }
  const leave = (body: HeldBody): void => {
    held -= bodies.get(body) ?? 0
    bodies.delete(body)
  }
  return {
    enter: (body) => count(body, 0),
    count: (body) => {
      count(body, body.bytes.length)
      for (const first of bodies.keys()) {
        if (held <= size) return
        leave(first)
        first.bytes = new Uint8Array(0)
      }
    },
    isDropped: (body) => !bodies.has(body),
    leave,
  }
}
