/** Forces files and folders to the disk, so that they survive a power cut. */
import { closeSync, fsyncSync, openSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { hasCode } from './output/own-file.ts'

/** Syncs the bytes of a file, or the names in a folder. Does nothing if the path does not exist. */
export function syncPath(path: string): void {
  let descriptor
  try {
    descriptor = openSync(path, 'r')
    fsyncSync(descriptor)
  } catch (error) {
    if (!hasCode(error, EXPECTED)) throw error
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** Syncs every file and folder at or under `folder`. Links are not followed. */
export function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) syncTree(path)
    else if (entry.isFile()) syncPath(path)
  }
  syncPath(folder)
}

// Error codes that `syncPath` ignores: nothing exists at the path, or the file system cannot sync folders. Source:
// fsync(2), EINVAL; Windows: EPERM and EISDIR.
const EXPECTED = ['ENOENT', 'ENOTDIR', 'EINVAL', 'EPERM', 'EISDIR']
