/**
 * Locks between processes: each is an open transaction on a SQLite file of its own, which ends with its process at the
 * latest, also after SIGKILL.
 */
import { existsSync, mkdirSync, realpathSync, truncateSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isBusy, isDamage, isUnusable } from '../result-codes.ts'
import { UsageError } from '../files/usage-error.ts'
import { createRefusal, openFile } from './sqlite/open-database.ts'

export interface Lock {
  release(): void
}

/** Another process holds a lock that this process needs. */
export class BusyError extends Error {
  override readonly name = 'BusyError'
}

interface LockedFolders {
  readonly state: string
  readonly output: string
  /** The running command, such as `rebuild --watch`, for messages of other processes. */
  readonly command: string
  /** True if nothing may be created. What does not exist is then not locked. */
  readonly isExplained?: boolean
}

/**
 * Locks the output folder, then the state folder, which are made if they are missing. Throws a `BusyError` if another
 * process holds one of the locks, and a `UsageError` if the state is in the folder of the site.
 */
export function lockFolders({ state, output, command, isExplained = false }: LockedFolders): Lock {
  if (!isExplained) for (const folder of [output, state]) makeFolder(folder)
  const [site, own] = [findRealPath(output), findRealPath(state)]
  if (`${own}${sep}`.startsWith(`${site}${sep}`))
    throw new UsageError(
      `The state folder ${state} must not be in the output folder, which holds only the site: name another folder with --state or --out.`,
    )
  // Beside the output folder, because that folder holds only the site.
  const lock = (file: string, folder: string): Lock | null => {
    if (isExplained && !existsSync(file)) return null
    const taken = acquireLock(file, { command })
    if (taken === null) throw new BusyError(`${folder} is locked. ${formatHolder(file)}`)
    return taken
  }
  const outputLock = lock(join(dirname(site), `.${basename(site)}.lock`), output)
  try {
    const stateLock = lock(join(own, 'lock.sqlite'), state)
    return { release: () => [stateLock, outputLock].forEach((one) => one?.release()) }
  } catch (error) {
    outputLock?.release()
    throw error
  }
}

/** Waits up to `wait` milliseconds, and returns `null` if another process still holds the lock. */
export function acquireLock(file: string, { wait = 0, command = '' } = {}): Lock | null {
  mkdirSync(dirname(file), { recursive: true })
  try {
    return openLock(file, wait, command)
  } catch (error) {
    if (!isDamage(error)) throw error
    // Emptied, not replaced: the lock of another process belongs to this file, not to its name.
    truncateSync(file)
    return openLock(file, wait, command)
  }
}

/** Milliseconds for which the commit of another process is awaited. */
const PATIENCE = 1_000

const TAKE = `
PRAGMA journal_mode = MEMORY;
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS holder (process INTEGER, command TEXT);
DELETE FROM holder;`

// The row of the holder is committed first, so that others can read it. The second transaction is the lock. Of several
// processes that try at once, each waits for the commits of the others, so that one of them gets it.
function openLock(file: string, wait: number, command: string): Lock | null {
  const database = openFile(file, wait)
  try {
    database.exec(`${TAKE} PRAGMA busy_timeout = ${PATIENCE}`)
    database.prepare('INSERT INTO holder VALUES (?, ?)').run(process.pid, command)
    database.exec('COMMIT; BEGIN IMMEDIATE')
    return { release: () => database.close() }
  } catch (error) {
    database.close()
    if (isBusy(error)) return null
    throw isUnusable(error) ? createRefusal(file, error) : error
  }
}

function formatHolder(file: string): string {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 1_000 })
  try {
    const { process: id, command } = database.prepare('SELECT process, command FROM holder').get() ?? {}
    const who = `Process ${Number(id)} (${String(command)}) is using it.`
    return /--watch|^start|^builder/.test(String(command))
      ? `${who} It keeps running: stop it with Ctrl-C or \`kill ${Number(id)}\`, then run again.`
      : `${who} Wait for it to end, then run again.`
  } catch {
    return 'Another run is using it. Wait for it to end, then run again.'
  } finally {
    database.close()
  }
}

function findRealPath(folder: string): string {
  return existsSync(folder) ? realpathSync.native(folder) : resolve(folder)
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(resolve(folder), { recursive: true })
  } catch (error) {
    throw new UsageError(`${folder} cannot be used as a folder: name another one`, { cause: error })
  }
}
