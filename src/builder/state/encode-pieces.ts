/** Encodes a text as UTF-8 piece by piece, because encoding a large page at once would take another 20 MB of memory. */

/** Max characters that are encoded at once. */
const PIECE = 256 * 1024

/** Max UTF-8 bytes of one UTF-16 code unit of a JavaScript string. */
export const WIDEST = 3

const encoder = new TextEncoder()

/**
 * Yields the bytes of `text`, whose pieces may have any size; a `Uint8Array` is already encoded. Yields at least once,
 * even for an empty text. A result is valid only until the next one, which reuses its memory.
 */
export function* encodePieces(text: readonly (string | Uint8Array)[]): Generator<Uint8Array> {
  const length = text.reduce((sum, piece) => sum + piece.length, 0)
  const memory = new Uint8Array(Math.min(PIECE, length) * WIDEST)
  let used = 0
  for (const piece of text) {
    if (typeof piece !== 'string') {
      yield memory.subarray(0, used)
      yield piece
      used = 0
      continue
    }
    for (const part of cut(piece)) {
      if (used + part.length * WIDEST > memory.byteLength) {
        yield memory.subarray(0, used)
        used = 0
      }
      used += encoder.encodeInto(part, memory.subarray(used)).written
    }
  }
  yield memory.subarray(0, used)
}

function* cut(piece: string): Generator<string> {
  let start = 0
  while (start < piece.length) {
    const end = findEnd(piece, start + PIECE)
    yield piece.slice(start, end)
    start = end
  }
}

// Returns `end`, or one less if a cut at `end` would split a surrogate pair.
function findEnd(text: string, end: number): number {
  const last = text.charCodeAt(end - 1)
  const isHalf = last >= 0xd800 && last < 0xdc00
  return isHalf && end < text.length ? end - 1 : end
}
