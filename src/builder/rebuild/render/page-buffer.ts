/** Encodes pages as UTF-8, one at a time, into memory that is reused for the next page. */
import { writeFileSync } from 'node:fs'
import type { PageText } from '../../renderer/fast/page-pieces.ts'
import { WIDEST } from '../../state/encode-pieces.ts'
import { isOwnFile } from '../../state/output/own-file.ts'

export interface PageBuffer {
  /** Encodes `text`, which replaces the previous page. The returned bytes are valid until the next call. */
  encode(text: PageText): Uint8Array
  /** Returns true if a regular file with the bytes of the page is at this path. */
  isFile(file: string): boolean
  write(file: string): void
}

const SMALLEST = 1024 * 1024

export function createPageBuffer(): PageBuffer {
  let memory = Buffer.allocUnsafeSlow(SMALLEST)
  // Memory for the bytes of an existing file, which are compared with the page.
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
