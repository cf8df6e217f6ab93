/** Memory that is used again for each file: new memory for each would take a fifth of the time of a large run. */
import { closeSync, openSync, readSync } from 'node:fs'

const MEBIBYTE = 1024 * 1024

interface FileMemory {
  /** The bytes are valid until the next call. */
  encode(content: string): Uint8Array
  /** Returns whether the file, which has as many bytes, has these. */
  isSame(path: string, bytes: Uint8Array): boolean
}

export function createFileMemory(): FileMemory {
  let [text, file] = [Buffer.allocUnsafeSlow(MEBIBYTE), Buffer.allocUnsafeSlow(MEBIBYTE)]
  return {
    encode: (content) => {
      // No character takes more than three bytes.
      if (content.length * 3 > text.length) text = Buffer.allocUnsafeSlow(content.length * 3)
      return text.subarray(0, text.write(content))
    },
    isSame: (path, bytes) => {
      if (bytes.byteLength > file.length) file = Buffer.allocUnsafeSlow(bytes.byteLength)
      const present = file.subarray(0, bytes.byteLength)
      const descriptor = openSync(path, 'r')
      try {
        return readSync(descriptor, present) === bytes.byteLength && present.equals(bytes)
      } finally {
        closeSync(descriptor)
      }
    },
  }
}
