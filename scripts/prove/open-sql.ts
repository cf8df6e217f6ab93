/** The interface to SQLite that a Durable Object has, over a database of Node. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Sql } from '../../src/edge/coordinator/sql-ledger.ts'

export function openSql(database: DatabaseSync): Sql {
  const statements = new Map<string, StatementSync>()
  const prepare = (query: string): StatementSync => {
    const statement = database.prepare(query)
    // Tables that are dropped and created again make it invalid.
    if (!/^\s*(CREATE|DROP)/.test(query)) statements.set(query, statement)
    return statement
  }
  return {
    exec: (query, ...bindings) => {
      const rows = (statements.get(query) ?? prepare(query)).all(...bindings)
      return { toArray: () => rows }
    },
  }
}
