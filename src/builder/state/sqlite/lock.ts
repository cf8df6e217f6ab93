/** A lock between processes: an exclusive transaction on a separate SQLite file. It ends with its process. */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isBusy } from './result-codes.ts'

export interface Lock {
  release(): void
}

/** Returns `null` if another process holds the lock for longer than `wait` milliseconds. */
export function acquireLock(file: string, wait = 0): Lock | null {
  mkdirSync(dirname(file), { recursive: true })
  const database = new DatabaseSync(file, { timeout: wait })
  try {
    database.exec('BEGIN EXCLUSIVE')
    return { release: () => database.close() }
  } catch (error) {
    database.close()
    if (isBusy(error)) return null
    throw error
  }
}
