/** Reads single columns, and the table `meta`, in which databases map names to texts. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'

/** Returns the first column of each row. */
export function listTexts(statement: StatementSync, ...values: SQLInputValue[]): readonly string[] {
  return statement.all(...values).map((row) => String(Object.values(row)[0]))
}

export function writeMeta(database: DatabaseSync, name: string, value: string): void {
  database.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)').run(name, value)
}

/**
 * Returns the value that was written as JSON; `null` if the table lacks the name. The cast is safe because a database
 * is written by one room, which gives each name one type.
 */
export function readJson<T>(database: DatabaseSync, name: string): T | null {
  const row = database.prepare('SELECT value FROM meta WHERE name = ?').get(name)
  return row === undefined ? null : (JSON.parse(String(row['value'])) as T)
}
