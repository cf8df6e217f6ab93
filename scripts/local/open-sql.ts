/**
 * Implements a Durable Object's SQL interface with a database of `node:sqlite`, and enforces some of Cloudflare's
 * limits for a Durable Object.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Sql } from '../../src/edge/coordinator/sql-ledger.ts'
import { checkQuery, checkRow } from './sql-limits.ts'

export function openSql(database: DatabaseSync): Sql {
  const statements = new Map<string, StatementSync>()
  const prepare = (query: string): StatementSync => {
    const statement = database.prepare(query)
    // Statements that create or drop tables are not cached, because they become invalid when the table is created
    // again.
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
