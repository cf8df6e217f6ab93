/** Sets one field of a document of an embedded database. All other fields of the document keep their values. */
import type { DocumentField, DocumentFields } from '../../../domain/documents/document-fields.ts'
import { DOCUMENT_FIELDS } from '../../../domain/documents/document-fields.ts'
import type { Collection, Problem } from '../../../domain/documents/document.ts'
import { COLLECTIONS, readField } from '../../../domain/documents/document.ts'
import { formatId } from '../../../domain/documents/format-id.ts'
import { isRecord } from '../../../domain/documents/json.ts'
import { parseDocument } from '../../../domain/documents/parse-document.ts'
import { RefusedError } from './new-file.ts'
import { explainSqlite, openForWriting } from './embedded-file.ts'

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
const WRITE = 'UPDATE documents SET data = ? WHERE collection = ? AND id = ?'

/** Returns the previous value. If it throws (a `RefusedError` or a `SourceError`), no document has changed. */
export function setField(path: string, { id, field: name, text }: FieldValue): unknown {
  const field = findField(name)
  const value = parseValue(field, text)
  const database = openForWriting(path)
  try {
    const row = database.prepare(READ).get(field.collection, id)
    if (row === undefined)
      throw new RefusedError(`${path} has no ${NAMES[field.collection]} ${formatId(id)}: nothing was changed`)
    const before: unknown = JSON.parse(String(row['data']))
    const data = setPath(before, field.path.split('.'), value)
    checkField(field, id, data)
    database.prepare(WRITE).run(JSON.stringify(data), field.collection, id)
    database.exec('COMMIT')
    return readPath(before, field.path)
  } catch (error) {
    throw explainSqlite(path, error)
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

// A decant may be a bare price.
function setPath(data: unknown, [key = '', ...rest]: readonly string[], value: unknown): unknown {
  const isBare = typeof data === 'number' || typeof data === 'string'
  const fields = isRecord(data) ? data : isBare ? { price: data } : {}
  return { ...fields, [key]: rest.length === 0 ? value : setPath(fields[key], rest, value) }
}

// Throws if the site could not show the new value.
function checkField({ collection, path }: SettableField, id: string, data: unknown): void {
  const problems: Problem[] = []
  parseDocument({ collection, id, updateTime: null, data }, (problem) => problems.push(problem))
  const problem = problems.find(({ field }) => field === path)
  if (problem !== undefined) throw new RefusedError(`${path} ${problem.reason}: nothing was changed`)
}

function readPath(data: unknown, path: string): unknown {
  return path.split('.').reduce(readField, data)
}
