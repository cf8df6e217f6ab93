/**
 * Reads single columns, runs a statement for each of several values, and accesses the table `meta`, in which most
 * databases map names to texts.
 */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'

/** Returns the first column of each row. */
export function listTexts(statement: StatementSync, ...values: SQLInputValue[]): readonly string[] {
  return statement.all(...values).map((row) => String(Object.values(row)[0]))
}

/** Returns the first column of the first row; NaN if there is no row. */
export function readNumber(statement: StatementSync, ...values: SQLInputValue[]): number {
  return Number(Object.values(statement.get(...values) ?? {})[0])
}

/** Returns `null` for `NULL`, and for a value that is not a text. */
export function toText(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

export function runEach(database: DatabaseSync, sql: string, values: readonly string[]): void {
  const statement = database.prepare(sql)
  for (const value of values) statement.run(value)
}

/** Returns an empty text if the table lacks the name. */
export function readMeta(database: DatabaseSync, name: string): string {
  return String(database.prepare('SELECT value FROM meta WHERE name = ?').get(name)?.['value'] ?? '')
}

export function writeMeta(database: DatabaseSync, name: string, value: string): void {
  database.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)').run(name, value)
}

/**
 * Returns the value that `writeJson` wrote; `null` if the table lacks the name. The cast is safe because a database is
 * written by one room, which gives each name one type.
 */
export function readJson<T>(database: DatabaseSync, name: string): T | null {
  const text = readMeta(database, name)
  return text === '' ? null : (JSON.parse(text) as T)
}

export function writeJson(database: DatabaseSync, name: string, value: unknown): void {
  writeMeta(database, name, JSON.stringify(value))
}
