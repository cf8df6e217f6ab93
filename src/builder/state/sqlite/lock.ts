/** A lock between processes that dies with its process: an exclusive transaction on a SQLite file of its own. */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isBusy } from './result-codes.ts'

export interface Lock {
  release(): void
}

/** `null` when another process holds it for longer than `wait` milliseconds. */
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
