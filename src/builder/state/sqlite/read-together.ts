/** Runs many small reads in one transaction. Alone, each takes and releases the file's locks, half of its time. */
import type { DatabaseSync } from 'node:sqlite'

/** `work` must not write. */
export function readTogether<T>(database: DatabaseSync, work: () => T): T {
  if (database.isTransaction) return work()
  database.exec('BEGIN')
  try {
    return work()
  } finally {
    if (database.isTransaction) database.exec('COMMIT')
  }
}
