/** Forces files and folders to the disk, so that they survive a power cut. */
import { spawnSync } from 'node:child_process'
import { closeSync, fsyncSync, openSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { hasCode } from './has-code.ts'

// Error codes that are ignored: nothing exists at the path, or the file system cannot sync folders. Source: fsync(2),
// EINVAL; Windows: EPERM and EISDIR.
const EXPECTED = ['ENOENT', 'ENOTDIR', 'EINVAL', 'EPERM', 'EISDIR']

/** Forces the bytes of a file, or the names in a folder. Does nothing if the path does not exist. */
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

/** Forces everything on the file system of the folder, which is faster for many files; else each file and folder. */
export function syncFolder(folder: string): void {
  const { status } = spawnSync('sync', ['-f', folder], { stdio: 'ignore' })
  if (status !== 0) syncTree(folder)
}

/** Forces every file and folder at or under `folder`. Links are not followed. */
export function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) syncTree(path)
    else if (entry.isFile()) syncPath(path)
  }
  syncPath(folder)
}
