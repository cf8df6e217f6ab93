/** The storage of a Durable Object on SQLite in memory. */
import type { StatementSync } from 'node:sqlite'
import { DatabaseSync } from 'node:sqlite'
import type { ShardStorage } from '../../../src/edge/search/shard-tables.ts'

export interface MemoryStorage extends ShardStorage {
  readonly database: DatabaseSync
  /** Number of rows changed so far. */
  countChanges(): number
}

export function createStorage(): MemoryStorage {
  const database = new DatabaseSync(':memory:')
  const statements = new Map<string, StatementSync>()
  const prepare = (query: string): StatementSync => {
    const statement = database.prepare(query)
    // Tables that are dropped and created again make it invalid.
    if (!/^(CREATE|DROP)/.test(query)) statements.set(query, statement)
    return statement
  }
  return {
    database,
    countChanges: () => Number(database.prepare('SELECT total_changes() AS changes').get()?.['changes']),
    sql: {
      exec: (query, ...bindings) => {
        const rows = (statements.get(query) ?? prepare(query)).all(...bindings)
        return { toArray: () => rows }
      },
    },
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
