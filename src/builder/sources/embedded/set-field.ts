/** Sets one field of a document of an embedded database. All other fields of the document keep their values. */
import type { DocumentField, DocumentFields } from '../../../domain/documents/document-fields.ts'
import { DOCUMENT_FIELDS } from '../../../domain/documents/document-fields.ts'
import type { Collection } from '../../../domain/documents/document.ts'
import { COLLECTIONS, readField } from '../../../domain/documents/document.ts'
import { formatId } from '../../../domain/documents/format-id.ts'
import { isRecord } from '../../../domain/documents/json.ts'
import { parseDocument } from '../../../domain/documents/parse-document.ts'
import { RefusedError } from './embedded-create.ts'
import { changeDatabase } from './embedded-file.ts'

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

const READ = 'SELECT data FROM documents WHERE collection = ? AND id = ?'
const WRITE = 'UPDATE documents SET data = ? WHERE collection = ? AND id = ?'

/** Returns the previous value. If it rejects (with a `RefusedError` or a `SourceError`), no document has changed. */
export async function setField(file: string, { id, field: path, text }: FieldValue): Promise<unknown> {
  const field = SETTABLE.find((one) => one.path === path)
  if (field === undefined)
    throw new RefusedError(
      `there is no field ${JSON.stringify(path)}: use one of ${SETTABLE_PATHS.join(', ')}`,
    )
  const { collection } = field
  const value = parseValue(field, text)
  return changeDatabase(file, (database) => {
    const row = database.prepare(READ).get(collection, id)
    if (row === undefined)
      throw new RefusedError(
        `${file} has no ${collection === 'users' ? 'profile' : 'product'} ${formatId(id)}: nothing was changed`,
      )
    const before: unknown = JSON.parse(String(row['data']))
    const keys = path.split('.')
    const data = setPath(before, keys, value)
    parseDocument({ collection, id, updateTime: null, data }, (problem) => {
      if (problem.field !== path) return
      throw new RefusedError(`${path} ${problem.reason}: nothing was changed`)
    })
    database.prepare(WRITE).run(JSON.stringify(data), collection, id)
    return keys.reduce(readField, before)
  })
}

function listSettable(fields: DocumentFields, prefix = ''): readonly Pick<SettableField, 'path' | 'type'>[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field.type === 'map') return listSettable(field.fields, `${prefix}${name}.`)
    return field.type === 'id' || field.type === 'owner' ? [] : [{ path: prefix + name, type: field.type }]
  })
}

function parseValue({ path, type }: SettableField, text: string): unknown {
  if (type !== 'flag' && type !== 'amount') return text
  if (type === 'flag' && (text === 'true' || text === 'false')) return text === 'true'
  if (type === 'amount' && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text)
  const wanted = type === 'flag' ? 'true or false' : 'an amount in RD$ such as 1500 or 1499.50'
  throw new RefusedError(`${path} must be ${wanted}, not ${JSON.stringify(text)}`)
}

// A decant may be a bare price.
function setPath(data: unknown, [key = '', ...rest]: readonly string[], value: unknown): unknown {
  const isBare = typeof data === 'number' || typeof data === 'string'
  const fields = isRecord(data) ? data : isBare ? { price: data } : {}
  return { ...fields, [key]: rest.length === 0 ? value : setPath(fields[key], rest, value) }
}
