/** Reads the change log of the embedded database: its end, and the changes after a cursor. */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import { COLLECTIONS } from '../../../domain/documents/document.ts'
import { isRecord } from '../../../domain/documents/json.ts'
import type { SourceChanges, DocumentKey } from '../source.ts'

/** More changes than this lead to a comparison of everything, which needs no list in memory and soon is faster. */
export const MAX_CHANGES = 100_000

/** The last row of the log when the cursor was read. The random nonce identifies the log of this file. */
type Cursor = { readonly sequence: number; readonly nonce: string }

type Row = Record<string, SQLOutputValue>

const LAST = 'SELECT sequence, nonce FROM changes ORDER BY sequence DESC LIMIT 1'
const AT = 'SELECT sequence, nonce FROM changes WHERE sequence = ?'
const SELLERS = 'SELECT DISTINCT seller FROM changes WHERE sequence > ? AND seller IS NOT NULL'
const DOCUMENTS = 'SELECT DISTINCT collection, id FROM changes WHERE sequence > ? AND collection IS NOT NULL'

export function readLastCursor(database: DatabaseSync): string | null {
  const row = database.prepare(LAST).get()
  return row === undefined ? null : JSON.stringify({ sequence: row['sequence'], nonce: row['nonce'] })
}

export function readChangesAfter(database: DatabaseSync, text: string | null): SourceChanges {
  if (text === null) return whole('nothing was read from this database before')
  const cursor = parseCursor(text)
  if (cursor === null) return whole('the cursor of the last read is not one of an embedded database')
  if (database.prepare(AT).get(cursor.sequence)?.['nonce'] !== cursor.nonce)
    return whole('the database is another file, was restored from a backup, or its change log was cut')
  const last = Number(database.prepare(LAST).get()?.['sequence'])
  if (last - cursor.sequence > MAX_CHANGES)
    return whole(`more than ${MAX_CHANGES} changes since the last read`)
  return {
    kind: 'sellers',
    sellers: database
      .prepare(SELLERS)
      .all(cursor.sequence)
      .map((row) => String(row['seller'])),
    documents: database.prepare(DOCUMENTS).all(cursor.sequence).flatMap(parseKey),
  }
}

function whole(reason: string): SourceChanges {
  return { kind: 'whole', reason }
}

function parseCursor(text: string): Cursor | null {
  try {
    const value: unknown = JSON.parse(text)
    if (!isRecord(value)) return null
    const { sequence, nonce } = value
    return Number.isSafeInteger(sequence) && typeof nonce === 'string'
      ? { sequence: Number(sequence), nonce }
      : null
  } catch {
    return null
  }
}

function parseKey(row: Row): readonly DocumentKey[] {
  const collection = COLLECTIONS.find((name) => name === row['collection'])
  return collection === undefined ? [] : [{ collection, id: String(row['id']) }]
}
