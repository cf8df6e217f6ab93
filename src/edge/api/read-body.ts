/** Reads the body of a call, and enforces limits of size and time whatever its headers say. */
import { LARGEST_BODY } from '../../domain/wire/calls.ts'

/** In milliseconds, for the whole body. */
const PATIENCE = 10_000

/** Returns the text, or a status: 400 for invalid UTF-8, 408 too slow or interrupted, 413 too large. */
export async function readBody({ headers, body }: Request): Promise<string | 400 | 408 | 413> {
  if (Number(headers.get('content-length') ?? 0) > LARGEST_BODY) return 413
  if (body === null) return ''
  const reader = body.getReader()
  const { promise: late, resolve } = Promise.withResolvers<'late'>()
  const timer = setTimeout(() => resolve('late'), PATIENCE)
  try {
    const bytes = await readBytes(reader, late)
    return typeof bytes === 'number' ? bytes : decodeText(bytes)
  } catch {
    return 408
  } finally {
    clearTimeout(timer)
    // Stops what the client still sends. A rejection only means that the connection is already closed.
    reader.cancel().catch(() => {})
  }
}

/** Copies the pieces into one array, because a piece of one byte may keep kilobytes of the runtime in use. */
async function readBytes(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  late: Promise<'late'>,
): Promise<Uint8Array | 408 | 413> {
  let bytes = new Uint8Array(1_024)
  let length = 0
  for (;;) {
    const next = await Promise.race([reader.read(), late])
    if (next === 'late') return 408
    if (next.done) return bytes.subarray(0, length)
    const end = length + next.value.byteLength
    if (end > LARGEST_BODY) return 413
    if (end > bytes.length) {
      const larger = new Uint8Array(Math.max(end, 2 * bytes.length))
      larger.set(bytes)
      bytes = larger
    }
    bytes.set(next.value, length)
    length = end
  }
}

/** Replacement characters would map different bytes to the same text. */
function decodeText(bytes: Uint8Array): string | 400 {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return 400
  }
}
