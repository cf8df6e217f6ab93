/** Reads a file only if it is one: no link, device or pipe in its place. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'

// Opening a pipe would otherwise wait for its other end.
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** What `open` reports where no regular file is. `ELOOP` (`EMLINK` on FreeBSD): a link. `ENXIO`: a socket. */
const NO_FILE = ['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'EMLINK', 'ENXIO', 'ENODEV', 'EOPNOTSUPP']

/** Returns `null` if no regular file is at this path. */
export function readOwnFile(file: string): Uint8Array | null {
  let handle: number
  try {
    handle = openSync(file, FLAGS)
  } catch (error) {
    if (hasCode(error, NO_FILE)) return null
    throw error
  }
  try {
    return fstatSync(handle).isFile() ? readFileSync(handle) : null
  } finally {
    closeSync(handle)
  }
}

export function hasCode(error: unknown, codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}
