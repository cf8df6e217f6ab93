/** Reads a request's body within limits, regardless of its headers. */

export interface BodyLimits {
  /** In bytes. */
  readonly size: number
  /** In milliseconds, for the whole body. */
  readonly time: number
}

/** Returns the bytes, or a status: 413 too large, 408 too slow or interrupted. */
export async function readBody(
  { headers, body }: Request,
  limits: BodyLimits,
): Promise<Uint8Array | 413 | 408> {
  if (Number(headers.get('content-length') ?? 0) > limits.size) return 413
  if (body === null) return new Uint8Array()
  const reader = body.getReader()
  const { promise: late, resolve } = Promise.withResolvers<'late'>()
  const timer = setTimeout(() => resolve('late'), limits.time)
  try {
    return await readAll(reader, late, limits.size)
  } catch {
    return 408
  } finally {
    clearTimeout(timer)
    // Stops reading what the client still sends. `cancel` rejects if the connection is already closed.
    reader.cancel().catch(() => {})
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>

async function readAll(reader: Reader, late: Promise<'late'>, size: number): Promise<Uint8Array | 413 | 408> {
  const pieces: Uint8Array[] = []
  let length = 0
  for (;;) {
    const next = await Promise.race([reader.read(), late])
    if (next === 'late') return 408
    if (next.done) return join(pieces, length)
    length += next.value.byteLength
    if (length > size) return 413
    pieces.push(next.value)
  }
}

function join(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length)
  let offset = 0
  for (const piece of pieces) {
    whole.set(piece, offset)
    offset += piece.byteLength
  }
  return whole
}
