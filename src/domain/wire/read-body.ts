/** Reads a request's body, and enforces limits of size and time whatever its headers say. */
import type { BodyRoom, HeldBody } from './body-room.ts'

export interface BodyLimits {
  /** In bytes. */
  readonly size: number
  /** In milliseconds, for the whole body. */
  readonly time: number
}

/** Returns the bytes, or a status: 413 too large, 408 too slow or interrupted, 503 dropped by `room`. */
export async function readBody(
  { headers, body: stream }: Request,
  limits: BodyLimits,
  room: BodyRoom | null = null,
): Promise<Uint8Array | 413 | 408 | 503> {
  if (Number(headers.get('content-length') ?? 0) > limits.size) return 413
  if (stream === null) return new Uint8Array()
  const reader = stream.getReader()
  const { promise: late, resolve } = Promise.withResolvers<'late'>()
  const timer = setTimeout(() => resolve('late'), limits.time)
  const body: HeldBody = { bytes: new Uint8Array(0) }
  room?.enter(body)
  try {
    return await readAll(reader, late, { body, size: limits.size, room })
  } catch {
    return 408
  } finally {
    clearTimeout(timer)
    room?.leave(body)
    // Stops reading what the client still sends. Ignores a rejection, which only means that the connection is already
    // closed.
    reader.cancel().catch(() => {})
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>

interface Reading {
  readonly body: HeldBody
  readonly size: number
  readonly room: BodyRoom | null
}

async function readAll(
  reader: Reader,
  late: Promise<'late'>,
  { body, size, room }: Reading,
): Promise<Uint8Array | 413 | 408 | 503> {
  let length = 0
  for (;;) {
    const next = await Promise.race([reader.read(), late])
    if (room?.isDropped(body) === true) return 503
    if (next === 'late') return 408
    if (next.done) return body.bytes.subarray(0, length)
    const end = length + next.value.byteLength
    if (end > size) return 413
    if (end > body.bytes.length) grow(body, end)
    body.bytes.set(next.value, length)
    length = end
    room?.count(body)
  }
}

/**
 * Enlarges the body's array to at least `length` bytes. Chunks are copied into one array, because a chunk of one byte
 * may keep kilobytes of the runtime's memory in use.
 */
function grow(body: HeldBody, length: number): void {
  const { bytes } = body
  body.bytes = new Uint8Array(Math.max(length, 2 * bytes.length))
  body.bytes.set(bytes)
}
