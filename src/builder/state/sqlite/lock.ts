/** A lock between processes: an open transaction on a separate SQLite file. It ends with its process. */
import { existsSync, lstatSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeFolder } from '../make-folder.ts'
import { hasCode } from '../output/own-file.ts'
import { UsageError } from '../usage-error.ts'
import { isBusy, isDamage, isReadOnly } from '../../result-codes.ts'

export interface Lock {
  release(): void
}

/**
 * Returns `null` if another process holds the lock for longer than `wait` milliseconds. Throws a `UsageError` if the
 * file is a link, if this user may only read it, or if it cannot be made where it is named.
 */
export function acquireLock(file: string, wait = 0): Lock | null {
  makeFolder(dirname(file))
  refuseLink(file)
  try {
    return open(file, wait)
  } catch (error) {
    if (!isDamage(error)) {
      refusePlace(file)
      throw error
    }
    // The file has no content to lose. It must not be replaced: a holder's lock belongs to this file, not to its name.
    truncateSync(file)
    return open(file, wait)
  }
}

// SQLite would write through a link, and garbage in the file that it leads to would be emptied.
function refuseLink(file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    throw new UsageError(`${file} is a link: remove it, and run again`)
}

// SQLite does not say why it cannot open a file. No process can create files in the folders of `/proc`.
function refusePlace(file: string): void {
  if (existsSync(file)) return
  try {
    writeFileSync(file, '', { flag: 'wx' })
  } catch (error) {
    if (hasCode(error, ['ENOENT']))
      throw new UsageError(`No file can be made in ${dirname(file)}: name another folder`, { cause: error })
  }
}

// A transaction also begins in a file that may only be read, but excludes no other process then: setting a version
// there fails.
const BEGIN = 'PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE; PRAGMA user_version = 1'

// A lock that one of several processes gets for certain: `BEGIN IMMEDIATE` takes the one lock that excludes others by a
// single system call. `BEGIN EXCLUSIVE` also waits for readers, so that two that begin at once can hinder each other.
// Without a journal file, no process has to look whether the one of another is to be rolled back.
// Source: https://sqlite.org/lockingv3.html
function open(file: string, wait: number): Lock | null {
  const database = new DatabaseSync(file, { timeout: wait })
  try {
    database.exec(BEGIN)
    return { release: () => database.close() }
  } catch (error) {
    database.close()
    if (isBusy(error)) return null
    if (isReadOnly(error))
      throw new UsageError(`${file} may only be read, so it locks nothing: remove it, or make it yours`)
    throw error
  }
}
