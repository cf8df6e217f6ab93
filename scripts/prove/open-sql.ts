/** The interface to SQLite that a Durable Object has, over a database of Node, with the limits of the service. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Sql } from '../../src/edge/coordinator/storage/sql.ts'

/** Source: https://developers.cloudflare.com/durable-objects/platform/limits/. The local runtime takes more. */
const MOST = { bindings: 100, bytes: 2_000_000, statement: 100_000 }

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
      checkLimits(query, bindings)
      const rows = (statements.get(query) ?? prepare(query)).all(...bindings)
      return { toArray: () => rows }
    },
  }
}

function checkLimits(query: string, bindings: readonly unknown[]): void {
  if (query.length > MOST.statement) throw new Error('SQLITE_TOOBIG: the statement is too long')
  if (bindings.length > MOST.bindings) throw new Error('SQLITE_RANGE: too many values are bound')
  const isTooLong = (one: unknown): boolean => typeof one === 'string' && Buffer.byteLength(one) > MOST.bytes
  if (bindings.some(isTooLong)) throw new Error('SQLITE_TOOBIG: string or blob too big')
}
