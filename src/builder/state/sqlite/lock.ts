/** A lock between processes: an open transaction on a separate SQLite file. It ends with its process. */
import { mkdirSync, truncateSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isBusy, isDamage } from './result-codes.ts'

export interface Lock {
  release(): void
}

/** Returns `null` if another process holds the lock for longer than `wait` milliseconds. */
export function acquireLock(file: string, wait = 0): Lock | null {
  mkdirSync(dirname(file), { recursive: true })
  try {
    return open(file, wait)
  } catch (error) {
    if (!isDamage(error)) throw error
    // The file has no content to lose. It must not be replaced: a holder's lock belongs to this file, not to its name.
    truncateSync(file)
    return open(file, wait)
  }
}

// A lock that one of several processes gets for certain: `BEGIN IMMEDIATE` takes the one lock that excludes others by a
// single system call. `BEGIN EXCLUSIVE` also waits for readers, so that two that begin at once can hinder each other.
// Without a journal file, no process has to look whether the one of another is to be rolled back.
// Source: https://sqlite.org/lockingv3.html
function open(file: string, wait: number): Lock | null {
  const database = new DatabaseSync(file, { timeout: wait })
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE')
    return { release: () => database.close() }
  } catch (error) {
    database.close()
    if (isBusy(error)) return null
    throw error
  }
}
