/** Encodes a text as UTF-8 piece by piece: all bytes of a large page would take another 20 MB beside its text. */

/** In characters. */
const PIECE = 256 * 1024

/** Max bytes of a character of a JavaScript string. */
const WIDEST = 3

const encoder = new TextEncoder()

/** At least one piece. Each is valid until the next one, which uses its memory again. */
export function* encodePieces(text: string): Generator<Uint8Array> {
  const memory = new Uint8Array(Math.min(PIECE, text.length) * WIDEST)
  let start = 0
  do {
    const end = findEnd(text, start + PIECE)
    const { written } = encoder.encodeInto(text.slice(start, end), memory)
    yield memory.subarray(0, written)
    start = end
  } while (start < text.length)
}

// Does not cut a surrogate pair.
function findEnd(text: string, end: number): number {
  const last = text.charCodeAt(end - 1)
  const isHalf = last >= 0xd800 && last < 0xdc00
  return isHalf && end < text.length ? end - 1 : end
}
