/** Holds one page as UTF-8 bytes, in memory that is used again for the next page. */
import { writeFileSync } from 'node:fs'
import type { PageText } from '../../renderer/fast/page-pieces.ts'
import { isOwnFile } from '../../state/output/own-file.ts'

export interface PageBuffer {
  /** Replaces the page. The returned bytes are valid until the next call. */
  encode(text: PageText): Uint8Array
  /** Returns true if a regular file with these bytes is at this path. */
  isFile(file: string): boolean
  write(file: string): void
}

const SMALLEST = 1024 * 1024

/** Max UTF-8 bytes for each unit of a JavaScript string's length. */
const WIDEST = 3

export function createPageBuffer(): PageBuffer {
  let memory = Buffer.allocUnsafeSlow(SMALLEST)
  // Memory for the bytes of an existing file, to compare them with the page.
  let other = Buffer.allocUnsafeSlow(SMALLEST)
  let page = memory.subarray(0, 0)
  const grow = (size: number): void => {
    if (size <= memory.byteLength) return
    memory = Buffer.allocUnsafeSlow(size)
    other = Buffer.allocUnsafeSlow(size)
  }
  const put = (piece: PageText[number], at: number): number => {
    if (typeof piece === 'string') return memory.write(piece, at)
    memory.set(piece, at)
    return piece.byteLength
  }
  return {
    encode: (text) => {
      const length = text.reduce((sum, piece) => sum + piece.length, 0)
      if (length * WIDEST > memory.byteLength) grow(countBytes(text))
      page = memory.subarray(
        0,
        text.reduce((size, piece) => size + put(piece, size), 0),
      )
      return page
    },
    isFile: (file) => isOwnFile(file, page, other),
    write: (file) => writeFileSync(file, page),
  }
}

function countBytes(text: PageText): number {
  return text.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0)
}
