/** Puts back what other tools may have taken from an embedded database; its change log then begins anew. */
import type { DatabaseSync } from 'node:sqlite'
import { DERIVED, DOCUMENTS, MARK_BEGINNING } from './embedded-schema.ts'
import { SourceError } from '../source.ts'

// As `name/place in the primary key/kind`, where 3 is a stored generated column.
const COLUMNS = ['collection/1/0', 'id/2/0', 'update_time/0/0', 'data/0/0', 'seller/0/3']
const NAMES = COLUMNS.map(readName)
const NEEDED = NAMES.filter((name) => name !== 'seller')

/** Every table, index and trigger is as `embedded-schema.ts` has it. */
export function isSound(database: DatabaseSync): boolean {
  if (!hasColumns(database)) return false
  const sql = readSchema(database)
  return DERIVED.every((part) => sql.get(part.name) === part.sql) && hasLog(database)
}

/** A cursor of before never fits again, since what happened meanwhile is in no log. */
export function mend(path: string, database: DatabaseSync): void {
  requireDocuments(path, database)
  database.exec('BEGIN IMMEDIATE')
  dropDerived(database)
  if (!hasColumns(database)) remakeDocuments(database)
  createDerived(database)
  database.exec('COMMIT')
}

/** The index, the triggers and a change log that begins. */
export function createDerived(database: DatabaseSync): void {
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

function requireDocuments(path: string, database: DatabaseSync): void {
  const names = readColumns(database).map(readName)
  if (hasColumns(database)) return
  if (NEEDED.every((name) => names.includes(name)) && names.every((name) => NAMES.includes(name))) return
  const why = `it has no table documents (${NEEDED.join(', ')})`
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

function hasLog(database: DatabaseSync): boolean {
  return database.prepare('SELECT 1 FROM changes LIMIT 1').get() !== undefined
}
