/** Makes folders whose names come from people. */
import { lstatSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { hasCode } from './output/own-file.ts'
import { UsageError } from './usage-error.ts'

/**
 * With the folders above it. Throws a `UsageError` where none can be made. Node's own recursive call never returns where a
 * folder exists that takes no entries, such as `/proc`.
 */
export function makeFolder(folder: string): void {
  if (isFolder(folder)) return
  makeFolder(dirname(resolve(folder)))
  try {
    mkdirSync(folder)
  } catch (error) {
    // Another process made it just now.
    if (hasCode(error, ['EEXIST']) && isFolder(folder)) return
    if (hasCode(error, ['EEXIST', 'ENOENT', 'ENOTDIR']))
      throw new UsageError(`The folder ${folder} cannot be made: name another`, { cause: error })
    throw error
  }
}

/** Returns false if nothing is there. Throws a `UsageError` if something else is, or is in the place of a folder above. */
export function isFolder(path: string): boolean {
  const above = dirname(resolve(path))
  // A file in the place of a folder above is named itself.
  if (above !== resolve(path) && !isFolder(above)) return false
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return true
  // `lstat` also finds a link to a missing file.
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return false
  throw new UsageError(`${path} is no folder: name another`)
}
