/** Makes folders at paths from the user's options. Throws a `UsageError` if a path cannot be used. */
import { lstatSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { hasCode } from './output/own-file.ts'
import { UsageError } from './usage-error.ts'

/**
 * Makes a folder and its missing parents. Throws a `UsageError` if no folder can exist at this path, and passes on
 * other errors, such as a missing permission. Does not use Node's recursive `mkdir`: if a parent takes no entries, such
 * as `/proc`, that call never returns.
 */
export function makeFolder(folder: string): void {
  if (isFolder(folder)) return
  makeFolder(dirname(resolve(folder)))
  try {
    mkdirSync(folder)
  } catch (error) {
    // Another process may have made the folder in the meantime.
    if (hasCode(error, ['EEXIST']) && isFolder(folder)) return
    if (hasCode(error, ['EEXIST', 'ENOENT', 'ENOTDIR']))
      throw new UsageError(`The folder ${folder} cannot be created: choose another`, { cause: error })
    throw error
  }
}

/** Returns false if nothing exists at `path`. Throws a `UsageError` if `path` or one of its parents is not a folder. */
export function isFolder(path: string): boolean {
  const above = dirname(resolve(path))
  // Checks parents first, so that the error names the parent that is a file rather than `path`.
  if (above !== resolve(path) && !isFolder(above)) return false
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return true
  // Also rejects a link whose target is missing, which `lstat` finds and `stat` does not.
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return false
  throw new UsageError(`${path} is not a folder: name another path`)
}
