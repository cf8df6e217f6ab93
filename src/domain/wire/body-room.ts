/**
 * Bounds the memory of bodies that are being read and whose senders are unknown. When more arrive than it has room for, the
 * bodies that began first are dropped: a small one that arrives at once is never among them, however many others are slow.
 */

export interface HeldBody {
  /** Replaced when more is needed. */
  bytes: Uint8Array
}

export interface BodyRoom {
  enter(body: HeldBody): void
  /** Called when the body has grown. May drop bodies, whose bytes are then removed at once. */
  count(body: HeldBody): void
  isDropped(body: HeldBody): boolean
  leave(body: HeldBody): void
}

/** `size` in bytes. */
export function createBodyRoom(size: number): BodyRoom {
  /** Their counted bytes, in the order in which they began. */
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
