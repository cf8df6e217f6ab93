/**
 * Checks SQL limits of a Durable Object that the local runtime does not enforce.
 * Source: https://developers.cloudflare.com/durable-objects/platform/limits/
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Sql } from '../../../src/edge/coordinator/sql-ledger.ts'

const MOST = { bindings: 100, bytes: 2_000_000, statement: 100_000, arguments: 32, pattern: 50 }

const FUNCTION = /\w\(/g
const PATTERN = /\b(?:LIKE|GLOB)\s+\?/gi

/** Statements that were checked already. */
const known = new Set<string>()

/** Throws if the query or one of the bound values exceeds a limit of `MOST`. */
export function checkQuery(query: string, bindings: readonly unknown[]): void {
  if (!known.has(query)) checkStatement(query)
  known.add(query)
  if (bindings.length > MOST.bindings) throw new Error('SQLITE_RANGE: too many values are bound')
  for (const { index } of query.matchAll(PATTERN)) {
    const place = query.slice(0, index).split('?').length - 1
    if (isLarger([bindings[place]], MOST.pattern))
      throw new Error('SQLITE_ERROR: LIKE or GLOB pattern too complex')
  }
  for (const one of bindings) checkRow([one])
}

/** Throws if the texts among the values of a row are together larger than a Durable Object permits. */
export function checkRow(values: readonly unknown[]): void {
  if (isLarger(values, MOST.bytes)) throw new Error('SQLITE_TOOBIG: string or blob too big')
}

function checkStatement(query: string): void {
  if (isLarger([query], MOST.statement)) throw new Error('SQLITE_TOOBIG: the statement is too long')
  for (const { index } of query.matchAll(FUNCTION))
    if (countArguments(query, index + 2) > MOST.arguments)
      throw new Error('SQLITE_ERROR: too many arguments on function')
}

function isLarger(values: readonly unknown[], most: number): boolean {
  const texts = values.filter((one) => typeof one === 'string')
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  // Avoids encoding short texts: a UTF-16 code unit has at most three bytes in UTF-8.
  if (length * 3 <= most) return false
  return texts.reduce((sum, text) => sum + new TextEncoder().encode(text).length, 0) > most
}

/** Counts the arguments of a call whose opening parenthesis is right before `from`. Commas in quotes do not count. */
function countArguments(query: string, from: number): number {
  let [depth, found] = [1, 1]
  for (const [token] of query.slice(from).matchAll(/'[^']*'|[(),]/g)) {
    if (token === '(') depth += 1
    else if (token === ')') depth -= 1
    else if (token === ',' && depth === 1) found += 1
    if (depth === 0) break
  }
  return found
}

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
