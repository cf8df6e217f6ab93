/** Memory that is used again for each file: new memory for each would take a fifth of the time of a large run. */
import { closeSync, openSync, readSync } from 'node:fs'

const MEBIBYTE = 1024 * 1024

let [text, file] = [Buffer.allocUnsafeSlow(MEBIBYTE), Buffer.allocUnsafeSlow(MEBIBYTE)]

/**
 * Characters that are encoded at once. One text of a whole page that has a character beyond Latin-1, such as `’`, would
 * have two bytes for each character, and V8 takes eight times as long to encode a text of that size.
 */
const AT_ONCE = 8_192

/** Encodes a text in pieces. The bytes are valid until the next call. */
export function encodePieces(pieces: readonly string[]): Uint8Array {
  // No character takes more than three bytes.
  const most = pieces.reduce((sum, { length }) => sum + length, 0) * 3
  if (most > text.length) text = Buffer.allocUnsafeSlow(most)
  let end = 0
  let part = ''
  for (const piece of pieces) {
    part += piece
    if (part.length < AT_ONCE) continue
    end += text.write(part, end)
    part = ''
  }
  return text.subarray(0, end + text.write(part, end))
}

/** Returns whether the file, which has as many bytes, has these. */
export function hasBytes(path: string, bytes: Uint8Array): boolean {
  if (bytes.byteLength > file.length) file = Buffer.allocUnsafeSlow(bytes.byteLength)
  const present = file.subarray(0, bytes.byteLength)
  const descriptor = openSync(path, 'r')
  try {
    return readSync(descriptor, present) === bytes.byteLength && present.equals(bytes)
  } finally {
    closeSync(descriptor)
  }
}
