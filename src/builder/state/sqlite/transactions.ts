/** Runs work in one transaction, which an error rolls back. */
import type { DatabaseSync } from 'node:sqlite'

type Begin = 'BEGIN' | 'BEGIN IMMEDIATE'

// Takes the write lock at the start. Without the lock, a transaction that reads first and writes later fails as soon as
// it writes, if another connection wrote in between.
const WRITING = 'BEGIN IMMEDIATE'

export function runTransaction<T>(database: DatabaseSync, work: () => T, begin: Begin = WRITING): T {
  database.exec(begin)
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    rollBack(database)
    throw error
  }
}

export async function runLongTransaction<T>(database: DatabaseSync, work: () => Promise<T>): Promise<T> {
  database.exec(WRITING)
  try {
    const result = await work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    rollBack(database)
    throw error
  }
}

/**
 * Runs `work`, which must only read, in one transaction. Without a transaction, small reads would spend half of their
 * time on locks.
 */
export function readTogether<T>(database: DatabaseSync, work: () => T): T {
  return database.isTransaction ? work() : runTransaction(database, work, 'BEGIN')
}

// Checks first whether the transaction is still open, because SQLite itself ends it after some errors.
function rollBack(database: DatabaseSync): void {
  if (database.isTransaction) database.exec('ROLLBACK')
}
