/** Locks the state folder and the output folder for one run. */
import { realpathSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { formatHolder, readHolder, removeHolder, writeHolder } from './lock-holder.ts'
import type { Lock } from './sqlite/lock.ts'
import { acquireLock } from './sqlite/lock.ts'
import { isFolder } from './make-folder.ts'
import { UsageError } from './usage-error.ts'

/** Another process holds a lock that this process needs. */
export class BusyError extends Error {
  override readonly name = 'BusyError'
}

interface LockedFolders {
  readonly state: string
  readonly output: string
  /** The running command, such as `rebuild --watch`, for messages of other processes. */
  readonly command: string
}

/**
 * Throws a `UsageError` if one of the two paths cannot be used as a folder, or if the state folder is the output folder
 * or is inside it.
 */
export function checkFolders({ state, output }: Pick<LockedFolders, 'state' | 'output'>): void {
  for (const folder of [state, output]) isFolder(folder)
  if (`${findRealPath(state)}${sep}`.startsWith(`${findRealPath(output)}${sep}`)) {
    throw new UsageError(
      'The state folder must not be inside the output folder or be the same folder, because the output folder holds only the site. Name another folder with --state or --out.',
    )
  }
}

/**
 * Locks both folders. Throws a `BusyError` if another process holds one of the locks. Every process locks the state
 * folder first, so if several processes want the same folders, one of them gets both.
 */
export function lockFolders({ state, output, command }: LockedFolders): readonly Lock[] {
  checkFolders({ state, output })
  const target = findRealPath(output)
  // The lock is next to the output folder, because that folder may hold only the site.
  const outputLock = join(dirname(target), `.${basename(target)}.lock`)
  const locks: Lock[] = []
  const wanted = [
    { file: join(state, 'lock.sqlite'), folder: state },
    { file: outputLock, folder: output },
  ]
  try {
    for (const { file, folder } of wanted) locks.push(lockOne(file, folder, command))
    return locks
  } catch (error) {
    for (const held of locks) held.release()
    throw error
  }
}

function lockOne(file: string, folder: string, command: string): Lock {
  const lock = acquireLock(file)
  if (lock === null) throw new BusyError(`${folder} is locked. ${formatHolder(readHolder(file))}`)
  return withHolder(lock, file, command)
}

function withHolder(lock: Lock, file: string, command: string): Lock {
  try {
    writeHolder(file, command)
  } catch (error) {
    lock.release()
    throw error
  }
  return {
    release: () => {
      removeHolder(file)
      lock.release()
    },
  }
}

// Resolves links. Returns the same path whether the folder exists or not.
function findRealPath(folder: string): string {
  const path = resolve(folder)
  try {
    return realpathSync.native(path)
  } catch {
    return dirname(path) === path ? path : join(findRealPath(dirname(path)), basename(path))
  }
}
