/** The interface to SQLite that a Durable Object has, over a database of Node, with the limits of the service. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Sql } from '../../src/edge/coordinator/storage/sql.ts'
import { checkQuery, checkRow } from './sql-limits.ts'

export function openSql(database: DatabaseSync): Sql {
  const statements = new Map<string, StatementSync>()
  const prepare = (query: string): StatementSync => {
    const statement = database.prepare(query)
    // Statements that create or drop tables are not kept, because a table that is created again makes them invalid.
    if (!/^\s*(CREATE|DROP)/.test(query)) statements.set(query, statement)
    return statement
  }
  return {
    exec: (query, ...bindings) => {
      checkQuery(query, bindings)
      const rows = (statements.get(query) ?? prepare(query)).all(...bindings)
      for (const row of rows) checkRow(Object.values(row))
      return { toArray: () => rows }
    },
  }
}
