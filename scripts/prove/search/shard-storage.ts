/** The storage of a Durable Object on SQLite in memory. */
import { DatabaseSync } from 'node:sqlite'
import type { ShardStorage } from '../../../src/edge/search/shard-tables.ts'
import { openSql } from '../open-sql.ts'

export interface MemoryStorage extends ShardStorage {
  readonly database: DatabaseSync
  /** Number of rows changed so far. */
  countChanges(): number
}

export function createStorage(): MemoryStorage {
  const database = new DatabaseSync(':memory:')
  return {
    database,
    countChanges: () => Number(database.prepare('SELECT total_changes() AS changes').get()?.['changes']),
    sql: openSql(database),
    transactionSync: (work) => transact(database, work),
  }
}

function transact<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec('SAVEPOINT work')
  try {
    const result = work()
    database.exec('RELEASE work')
    return result
  } catch (error) {
    database.exec('ROLLBACK TO work; RELEASE work')
    throw error
  }
}
