/** Locks the state folder and the output folder for one run. */
import { mkdirSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { formatHolder, readHolder, removeHolder, writeHolder } from './lock-holder.ts'
import { hashBytes } from './manifest.ts'
import type { Lock } from './sqlite/lock.ts'
import { acquireLock } from './sqlite/lock.ts'
import { UsageError } from './usage-error.ts'

/** Another rebuild holds the lock of the state folder or the output folder. */
export class BusyError extends Error {
  override readonly name = 'BusyError'
}

export interface LockedFolders {
  readonly state: string
  readonly output: string
  /** What other processes are told about the holder, such as `rebuild --watch`. */
  readonly command: string
}

/**
 * Throws a `BusyError` if another process holds one of the locks. Every process locks the state folder first: of several
 * that want the same folders, one gets both.
 */
export function lockFolders({ state, output, command }: LockedFolders): readonly Lock[] {
  const target = findRealPath(output)
  if (`${findRealPath(state)}${sep}`.startsWith(`${target}${sep}`)) {
    throw new UsageError('The state folder must not be inside the output folder, which holds only the site.')
  }
  mkdirSync(state, { recursive: true })
  // The output folder holds only the site, so its lock file is kept in the temporary folder.
  const outputLock = join(tmpdir(), `vitrina-${hashBytes(target).slice(0, 16)}.lock`)
  const locks: Lock[] = []
  const wanted = [
    { file: join(state, 'lock.sqlite'), folder: state },
    { file: outputLock, folder: output },
  ]
  for (const { file, folder } of wanted) {
    const lock = acquireLock(file)
    if (lock === null) {
      for (const held of locks) held.release()
      throw new BusyError(`${folder} is locked. ${formatHolder(readHolder(file))}`)
    }
    locks.push(withHolder(lock, file, command))
  }
  return locks
}

function withHolder(lock: Lock, file: string, command: string): Lock {
  writeHolder(file, command)
  return {
    release: () => {
      removeHolder(file)
      lock.release()
    },
  }
}

// The same before and after the folder is made, by whatever links it is named.
function findRealPath(folder: string): string {
  const path = resolve(folder)
  try {
    return realpathSync.native(path)
  } catch {
    return dirname(path) === path ? path : join(findRealPath(dirname(path)), basename(path))
  }
}
