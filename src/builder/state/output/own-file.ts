/** Reads a file only if it is a regular file, not a link, device or pipe. */
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs'

// `O_NOFOLLOW` refuses links. Without `O_NONBLOCK`, opening a pipe would wait for its other end.
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/**
 * Error codes of `open` if no regular file is at the path. `ELOOP` (`EMLINK` on FreeBSD) means a link, `ENXIO` a
 * socket.
 */
const NO_FILE = ['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'EMLINK', 'ENXIO', 'ENODEV', 'EOPNOTSUPP']

/** Returns `null` if no regular file is at this path. */
export function readOwnFile(file: string): Uint8Array | null {
  return withOwnFile(file, (handle) => readFileSync(handle))
}

/**
 * Returns true if a regular file with these bytes is at this path. `memory` is a reusable buffer for the file's bytes,
 * at least as large as `bytes`.
 */
export function isOwnFile(file: string, bytes: Buffer, memory: Buffer): boolean {
  const isSame = withOwnFile(file, (handle, size) => {
    if (size !== bytes.byteLength) return false
    const present = memory.subarray(0, size)
    return readWhole(handle, present) && present.equals(bytes)
  })
  return isSame === true
}

function withOwnFile<T>(file: string, use: (handle: number, size: number) => T): T | null {
  let handle: number
  try {
    handle = openSync(file, FLAGS)
  } catch (error) {
    if (hasCode(error, NO_FILE)) return null
    throw error
  }
  try {
    const stats = fstatSync(handle)
    return stats.isFile() ? use(handle, stats.size) : null
  } finally {
    closeSync(handle)
  }
}

/** Fills `memory` from the file. Returns false if the file is shorter. */
function readWhole(handle: number, memory: Buffer): boolean {
  for (let end = 0; end < memory.byteLength;) {
    const count = readSync(handle, memory, end, memory.byteLength - end, null)
    if (count === 0) return false
    end += count
  }
  return true
}

export function hasCode(error: unknown, codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}
