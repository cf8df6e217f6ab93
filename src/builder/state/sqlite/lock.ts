/**
 * A lock between processes: an open transaction on a separate SQLite file. The lock ends with its process at the
 * latest.
 */
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
 * Waits up to `wait` milliseconds, and returns `null` if another process still holds the lock. Throws a `UsageError` if
 * the file is a link, if this user may only read it, or if its folder permits no files at all, as in `/proc`.
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
    // Empties the damaged file, which has no content to lose. The file must not be replaced by a new one, because the
    // lock of another process belongs to this file, not to its name.
    truncateSync(file)
    return open(file, wait)
  }
}

// Refuses a link, because SQLite would write through it, and a target that is not a database would be emptied as a
// damaged lock.
function refuseLink(file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    throw new UsageError(`${file} is a link: remove it, and run again`)
}

// Throws a `UsageError` if the folder exists but takes no files, such as a folder of `/proc`, where making a file fails
// with `ENOENT`. SQLite does not say why it cannot open a file. After any other failure, such as a missing permission,
// the caller throws SQLite's error.
function refusePlace(file: string): void {
  if (existsSync(file)) return
  try {
    writeFileSync(file, '', { flag: 'wx' })
  } catch (error) {
    if (hasCode(error, ['ENOENT']))
      throw new UsageError(`No file can be made in ${dirname(file)}: choose another folder`, { cause: error })
  }
}

// Sets the version, because this write fails in a read-only file. `BEGIN IMMEDIATE` alone would succeed there without
// excluding other processes.
const BEGIN = 'PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE; PRAGMA user_version = 1'

// If several processes try at once, one of them always gets the lock, because `BEGIN IMMEDIATE` takes it with a single
// system call. `BEGIN EXCLUSIVE` also waits for readers, so two processes that begin at once can block each other. The
// journal is in memory, because with journal files each process would have to check whether the journal of another
// process must be rolled back. Source: https://sqlite.org/lockingv3.html
function open(file: string, wait: number): Lock | null {
  const database = new DatabaseSync(file, { timeout: wait })
  try {
    database.exec(BEGIN)
    return { release: () => database.close() }
  } catch (error) {
    database.close()
    if (isBusy(error)) return null
    if (isReadOnly(error))
      throw new UsageError(
        `${file} is read-only for this user, so it cannot be used as a lock: remove it, or give this user permission to write to it`,
      )
    throw error
  }
}
