/**
 * The part of a Durable Object's SQLite interface that the coordinator uses, and a write that skips unchanged columns.
 */

type SqlValue = string | number | null

/** Runs one statement per call. */
export interface Sql {
  exec(query: string, ...bindings: readonly SqlValue[]): { toArray(): readonly unknown[] }
}

export type RunSql = <Row>(query: string, ...bindings: readonly SqlValue[]) => readonly Row[]

/** The columns of a row, by name, without its key. */
export type Columns = Readonly<Record<string, SqlValue>>

interface KeptRow {
  readonly table: string
  readonly key: readonly [column: string, value: SqlValue]
  /** The stored columns; `null` if there is no row. */
  readonly known: Columns | null
  readonly next: Columns
}

/**
 * Writes only the columns that differ: a column that is set, even to the same value, costs a written entry in each
 * index that has it.
 */
export function keepColumns(sql: Sql, { table, key: [column, value], known, next }: KeptRow): void {
  const names = Object.keys(next).filter((name) => known === null || known[name] !== next[name])
  const values = names.map((name) => next[name] ?? null)
  if (known === null)
    sql.exec(
      `INSERT INTO ${table} (${[column, ...names].join(', ')}) VALUES (?${', ?'.repeat(names.length)})`,
      value,
      ...values,
    )
  else if (names.length > 0)
    sql.exec(
      `UPDATE ${table} SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE ${column} = ?`,
      ...values,
      value,
    )
}
