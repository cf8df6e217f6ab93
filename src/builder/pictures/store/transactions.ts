/** Runs work in one transaction, which an error rolls back. */
import type { DatabaseSync } from 'node:sqlite'

// `BEGIN IMMEDIATE` takes the write lock at the start. Without it, a transaction that reads first and writes later fails
// as soon as it writes, if another connection wrote in between.
export function runTransaction<T>(
  database: DatabaseSync,
  work: () => T,
  begin: 'BEGIN' | 'BEGIN IMMEDIATE' = 'BEGIN IMMEDIATE',
): T {
  database.exec(begin)
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    // SQLite itself ends the transaction after some errors.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}
