/**
 * Selects rows of an embedded database and parses them into documents. An invalid row is reported as an unreadable
 * item, not thrown.
 */
import type { SQLOutputValue } from 'node:sqlite'
import type { SourceDocument } from '../../../domain/documents/document.ts'
import { COLLECTIONS } from '../../../domain/documents/document.ts'
import { parseJson } from '../../../domain/documents/json.ts'
import { SELLER_COLUMN } from './embedded-schema.ts'
import { findSeller } from '../find-seller.ts'
import type { SourceItem } from '../source.ts'

const AMBIGUOUS = 'occurs more than once, and SQL and JavaScript read different values: keep one of them'
const NOT_UTF_8 = 'is not valid UTF-8'

export type Row = Record<string, SQLOutputValue>

// Selects the bytes of a text in hex, because JavaScript shows invalid UTF-8 only as replacement characters. Selects
// NULL for printable ASCII, which is always valid: without its bytes, reading all rows takes a third less time.
const BYTES = (text: string): string =>
  `CASE WHEN typeof(${text}) <> 'text' OR ${text} GLOB '*[^ -~]*' OR length(${text}) <> octet_length(${text})
    THEN hex(${text}) END`
const COLUMNS = `collection, id, update_time, data, ${BYTES('id')} AS id_bytes`
const SELECT = `SELECT ${COLUMNS}, seller, ${BYTES('seller')} AS seller_bytes FROM documents`
const READABLE = `CASE WHEN typeof(data) = 'text' AND json_valid(data) THEN ${SELLER_COLUMN} END`

export const QUERIES = {
  /** Does not select the bytes of texts, because they would double the time of a read. */
  collection: `SELECT collection, id, update_time, data, seller FROM documents WHERE collection = ?`,
  /** `text` equals the result of `formatText` for the row. */
  texts: `SELECT id, coalesce(update_time, '') || char(10) || coalesce(seller, '') || char(10) || data AS text
    FROM documents WHERE collection = ?`,
  /**
   * Selects the rows whose id or seller is not a text of printable ASCII. The caller keeps only those for which
   * `needsBytes` is true.
   */
  odd: `SELECT * FROM (${SELECT}) WHERE collection = ? AND (id_bytes IS NOT NULL OR seller_bytes IS NOT NULL)`,
  seller: `${SELECT} WHERE seller = ?`,
  document: `${SELECT} WHERE collection = ? AND id = ?`,
  /** For a database that is not sound: does not rely on the column `seller` or on the table's checks. */
  unchecked: `SELECT ${COLUMNS}, ${READABLE} AS seller, hex(${READABLE}) AS seller_bytes FROM documents`,
} as const

export function parseRow(row: Row): SourceItem {
  const { id, update_time: time, data: text } = row
  const collection = COLLECTIONS.find((name) => name === row['collection'])
  const isNamed = typeof id === 'string' && id !== '' && isUtf8(id, row['id_bytes'])
  const reject = (field: string, reason: string): SourceItem => {
    const problem = { collection: collection ?? 'cataloge', id: formatId(row), field, reason, fatal: true }
    return {
      kind: 'unreadable',
      key: isNamed && collection !== undefined ? { collection, id } : null,
      problem,
    }
  }
  if (collection === undefined) return reject('', `its collection is not one of ${COLLECTIONS.join(', ')}`)
  if (!isNamed) return reject('', `its id ${findIdFault(id)}`)
  if (typeof text !== 'string') return reject('', `its data is ${formatType(text)}, not text`)
  const data = parseJson(text)
  if (data === undefined) return reject('', 'is not JSON')
  const document: SourceDocument = {
    collection,
    id,
    updateTime: typeof time === 'string' ? time : null,
    data,
  }
  const seller = findSeller(document)
  // Does not compare an owner id that has an unpaired surrogate with the column `seller`: SQLite cannot store such a
  // text, so the two always differ. `parseDocument` rejects the document later.
  if (seller?.isWellFormed() === false) return { kind: 'document', document }
  if (seller !== row['seller']) return reject('owner.id', AMBIGUOUS)
  if (seller !== null && !isUtf8(seller, row['seller_bytes'])) return reject('owner.id', NOT_UTF_8)
  return { kind: 'document', document, text: formatText(row) }
}

export function* parseRows(rows: Iterable<Row>): Generator<SourceItem> {
  for (const row of rows) yield parseRow(row)
}

/**
 * Returns true if the id, or a seller that is not null, is not text or contains U+FFFD. The bytes of such a row must be
 * checked, because JavaScript also reads invalid UTF-8 as U+FFFD.
 */
export function needsBytes({ id, seller }: Row): boolean {
  return !isStoredText(id) || (seller !== null && seller !== undefined && !isStoredText(seller))
}

/** Returns true for a text without U+FFFD. The bytes of such a text are valid UTF-8. */
export function isStoredText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\uFFFD')
}

function formatText({ update_time: time, seller, data }: Row): string {
  return [time, seller, data].join('\n')
}

/**
 * Returns whether the stored text is valid UTF-8. `bytes` are the stored bytes, in hex; they are needed only if `text`
 * contains U+FFFD.
 */
export function isUtf8(text: string, bytes: SQLOutputValue | undefined): boolean {
  return !text.includes('\uFFFD') || Buffer.from(text).toString('hex').toUpperCase() === bytes
}

// Returns a valid text as it is, and any other id as an SQL expression, so that a user can find its row.
function formatId({ id, id_bytes: bytes }: Row): string {
  if (typeof id === 'string') return isUtf8(id, bytes) ? id : `CAST(X'${String(bytes)}' AS TEXT)`
  if (id instanceof Uint8Array) return `X'${String(bytes)}'`
  return id === null || id === undefined ? 'NULL' : String(id)
}

function findIdFault(id: SQLOutputValue | undefined): string {
  if (typeof id !== 'string') return `is ${formatType(id)}, not text`
  return id === '' ? 'is empty' : NOT_UTF_8
}

function formatType(value: SQLOutputValue | undefined): string {
  if (value === null || value === undefined) return 'NULL'
  return value instanceof Uint8Array ? 'a BLOB' : 'a number'
}
