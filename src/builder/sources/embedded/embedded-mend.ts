/** Repairs an embedded database that another tool changed: recreates index and triggers, restarts the log. */
import type { DatabaseSync } from 'node:sqlite'
import { APPLICATION, DERIVED, DOCUMENTS, MARK_BEGINNING } from './embedded-schema.ts'
import { SourceError } from '../source.ts'

// Format: `name/position in the primary key/hidden`. `hidden` is 3 for a stored generated column. Source:
// https://sqlite.org/pragma.html#pragma_table_xinfo
const COLUMNS = ['collection/1/0', 'id/2/0', 'update_time/0/0', 'data/0/0', 'seller/0/3']
const NAMES = COLUMNS.map(readName)
const NEEDED = NAMES.filter((name) => name !== 'seller')

// Each query selects rows that this program's table cannot hold, such as one with a number in a text column: the strict
// table would convert the number to text, and then two rows could have the same id.
const UNFIT = [
  `SELECT 1 FROM documents WHERE (typeof(collection), typeof(id), typeof(data)) <> ('text', 'text', 'text')
    OR collection NOT IN ('users', 'cataloge') OR id = '' OR NOT json_valid(data) LIMIT 1`,
  'SELECT 1 FROM documents GROUP BY collection, id HAVING count(*) > 1 LIMIT 1',
]

/**
 * Returns true if the file has this program's mark, `documents` has the expected columns, and the change log is not
 * empty. The SQL of the log, the index and the triggers must also equal that in `embedded-schema.ts`.
 */
export function isSound(database: DatabaseSync): boolean {
  if (!hasColumns(database) || !hasMark(database)) return false
  const sql = readSchema(database)
  return DERIVED.every((part) => sql.get(part.name) === part.sql) && hasLog(database)
}

/** Returns true if this program's table can hold every row. */
export function isFit(database: DatabaseSync): boolean {
  return hasColumns(database) || UNFIT.every((sql) => database.prepare(sql).get() === undefined)
}

/**
 * Repairs the database in one transaction. Invalidates earlier cursors, because changes made without the triggers were
 * not logged.
 */
export function mend(path: string, database: DatabaseSync): void {
  requireDocuments(path, database)
  database.exec('BEGIN IMMEDIATE')
  dropDerived(database)
  if (!hasColumns(database)) remakeDocuments(database)
  createDerived(database)
  database.exec('COMMIT')
}

/** Creates the index, the triggers and a new change log, and marks the file. */
export function createDerived(database: DatabaseSync): void {
  database.exec(`PRAGMA application_id = ${APPLICATION}`)
  for (const { sql } of DERIVED) database.exec(sql)
  database.exec(MARK_BEGINNING)
}

function dropDerived(database: DatabaseSync): void {
  for (const { type, name } of DERIVED.toReversed()) database.exec(`DROP ${type} IF EXISTS ${name}`)
}

function remakeDocuments(database: DatabaseSync): void {
  const columns = NEEDED.join(', ')
  database.exec(`ALTER TABLE documents RENAME TO documents_before;
    ${DOCUMENTS};
    INSERT INTO documents (${columns}) SELECT ${columns} FROM documents_before;
    DROP TABLE documents_before`)
}

/**
 * Throws a `SourceError` unless the table `documents` has the expected columns, or columns that `mend` can correct: the
 * expected names and no others. In the second case `seller` may be missing.
 */
export function requireDocuments(path: string, database: DatabaseSync): void {
  const names = readColumns(database).map(readName)
  if (hasColumns(database)) return
  if (NEEDED.every((name) => names.includes(name)) && names.every((name) => NAMES.includes(name))) return
  const why = `it has no table named documents with just the columns ${NEEDED.join(', ')}`
  const next = 'name another file, or make one with `npm run import -- <folder> <file.sqlite>`'
  throw new SourceError(`cannot read the database ${path} (${why}): ${next}`)
}

function readSchema(database: DatabaseSync): ReadonlyMap<unknown, unknown> {
  const rows = database.prepare('SELECT name, sql FROM sqlite_schema').all()
  return new Map(rows.map((row) => [row['name'], row['sql']]))
}

function hasColumns(database: DatabaseSync): boolean {
  const columns = readColumns(database)
  return COLUMNS.every((column) => columns.includes(column))
}

function readColumns(database: DatabaseSync): readonly string[] {
  const rows = database.prepare("SELECT name, pk, hidden FROM pragma_table_xinfo('documents')").all()
  return rows.map((row) => `${row['name']}/${row['pk']}/${row['hidden']}`)
}

function readName(column: string): string {
  return column.slice(0, column.indexOf('/'))
}

function hasMark(database: DatabaseSync): boolean {
  return database.prepare('PRAGMA application_id').get()?.['application_id'] === APPLICATION
}

function hasLog(database: DatabaseSync): boolean {
  return database.prepare('SELECT 1 FROM changes LIMIT 1').get() !== undefined
}
