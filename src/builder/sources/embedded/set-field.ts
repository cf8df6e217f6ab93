/** Sets one field of a document of an embedded database. All other fields of the document keep their values. */
import type { DatabaseSync } from 'node:sqlite'
import type { DocumentField, DocumentFields } from '../../../domain/documents/document-fields.ts'
import { DOCUMENT_FIELDS } from '../../../domain/documents/document-fields.ts'
import type { Collection, Problem } from '../../../domain/documents/document.ts'
import { COLLECTIONS, readField } from '../../../domain/documents/document.ts'
import { formatId } from '../../../domain/documents/format-id.ts'
import { parseDocument } from '../../../domain/documents/parse-document.ts'
import { RefusedError } from './new-file.ts'
import { explainSqlite } from './embedded-errors.ts'
import { openForWriting } from './embedded-file.ts'

/** `field` is a dotted path such as `_5ml.price`. */
export interface FieldValue {
  readonly id: string
  readonly field: string
  /** The value as typed on the command line. */
  readonly text: string
}

interface SettableField {
  readonly collection: Collection
  readonly path: string
  readonly type: DocumentField['type']
}

const SETTABLE: readonly SettableField[] = COLLECTIONS.flatMap((collection) =>
  listSettable(DOCUMENT_FIELDS[collection]).map((field) => ({ collection, ...field })),
)

export const SETTABLE_PATHS: readonly string[] = SETTABLE.map(({ path }) => path)

const NAMES: Readonly<Record<Collection, string>> = { users: 'profile', cataloge: 'product' }

const READ = 'SELECT data FROM documents WHERE collection = ? AND id = ?'
const WRITE = 'UPDATE documents SET data = json_set(data, ?, json(?)) WHERE collection = ? AND id = ?'

/** Returns the previous value. If it throws (a `RefusedError` or a `SourceError`), no document has changed. */
export function setField(path: string, value: FieldValue): unknown {
  const field = findField(value.field)
  const json = JSON.stringify(parseValue(field, value.text))
  const database = openForWriting(path)
  try {
    const key = [field.collection, value.id] as const
    const before = readData(database, key)
    if (before === null)
      throw new RefusedError(
        `${path} has no ${NAMES[field.collection]} ${formatId(value.id)}: nothing was changed`,
      )
    database.prepare(WRITE).run(`$.${field.path}`, json, ...key)
    checkField(field, value.id, readData(database, key), json)
    database.exec('COMMIT')
    return readPath(before, field.path)
  } catch (error) {
    throw error instanceof RefusedError ? error : explainSqlite(path, error)
  } finally {
    database.close()
  }
}

function listSettable(fields: DocumentFields, prefix = ''): readonly Pick<SettableField, 'path' | 'type'>[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field.type === 'map') return listSettable(field.fields, `${prefix}${name}.`)
    return field.type === 'id' || field.type === 'owner' ? [] : [{ path: prefix + name, type: field.type }]
  })
}

function findField(path: string): SettableField {
  const field = SETTABLE.find((one) => one.path === path)
  if (field === undefined)
    throw new RefusedError(
      `there is no field ${JSON.stringify(path)}: use one of ${SETTABLE_PATHS.join(', ')}`,
    )
  return field
}

function parseValue({ path, type }: SettableField, text: string): unknown {
  if (type === 'flag' && (text === 'true' || text === 'false')) return text === 'true'
  if (type === 'amount' && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text)
  if (type === 'flag') throw new RefusedError(`${path} must be true or false, not ${JSON.stringify(text)}`)
  if (type === 'amount')
    throw new RefusedError(
      `${path} must be an amount in RD$ such as 1500 or 1499.50, not ${JSON.stringify(text)}`,
    )
  return text
}

function readData(database: DatabaseSync, key: readonly [Collection, string]): unknown {
  const row = database.prepare(READ).get(...key)
  return row === undefined ? null : JSON.parse(String(row['data']))
}

// Throws if the new value is invalid, or if the changed document `data` does not have this value. In unusual JSON, such
// as JSON with a duplicate key, SQLite may not set the value that JavaScript reads.
function checkField({ collection, path }: SettableField, id: string, data: unknown, json: string): void {
  const problems: Problem[] = []
  parseDocument({ collection, id, updateTime: null, data }, (problem) => problems.push(problem))
  const problem = problems.find(({ field }) => field === path)
  if (problem !== undefined) throw new RefusedError(`${path} ${problem.reason}: nothing was changed`)
  if (JSON.stringify(readPath(data, path)) !== json)
    throw new RefusedError(
      `${path} could not be set, because the JSON of the document is unusual (such as a key that occurs twice): nothing was changed. Correct the JSON by hand`,
    )
}

function readPath(data: unknown, path: string): unknown {
  return path.split('.').reduce(readField, data)
}
