/** Reads the change log of the embedded database: its end, and the changes after a cursor. */
import type { SQLOutputValue } from 'node:sqlite'
import { COLLECTIONS } from '../../../domain/documents/document.ts'
import { isRecord, parseJson } from '../../../domain/documents/json.ts'
import { isUtf8 } from './embedded-rows.ts'
import type { DatabaseView } from './embedded-view.ts'
import type { SourceChanges, DocumentKey } from '../source.ts'

/**
 * The last row of the change log, and the state of the file, at the time of a read. Each row has a random `nonce`,
 * which identifies the log. A copy of the database has the same nonces, but another `file`.
 */
interface Cursor {
  readonly sequence: number
  readonly nonce: string
  readonly file: string
  readonly schema: number
  readonly content: string
}

type Row = Record<string, SQLOutputValue>
type Logged = Pick<DatabaseView, 'database' | 'stamp'>

const LAST = 'SELECT sequence, nonce FROM changes ORDER BY sequence DESC LIMIT 1'
const AT = 'SELECT sequence, nonce FROM changes WHERE sequence = ?'
const AFTER = 'SELECT count(*) AS rows, sum(ends) AS ends FROM changes WHERE sequence > ?'
const SELLERS = 'SELECT DISTINCT seller FROM changes WHERE sequence > ? AND seller IS NOT NULL'
const WITHOUT_DOCUMENT =
  'SELECT 1 FROM changes WHERE sequence > ? AND collection IS NULL AND seller IS NOT NULL'
const DOCUMENTS =
  'SELECT DISTINCT collection, id, hex(id) AS bytes FROM changes WHERE sequence > ? AND collection IS NOT NULL'

export function readLastCursor({ database, stamp }: Logged): string | null {
  const row = database.prepare(LAST).get()
  if (row === undefined) return null
  const { identity: file, schema, content } = stamp
  return JSON.stringify({ sequence: row['sequence'], nonce: row['nonce'], file, schema, content })
}

export function readChangesAfter({ database, stamp }: Logged, text: string | null): SourceChanges {
  if (text === null) return whole('the last read of this database recorded no position in its change log')
  const cursor = parseCursor(text)
  if (cursor === null)
    return whole(
      'the position that the last read recorded does not have the format of a position in this change log',
    )
  const { sequence, nonce } = cursor
  if (database.prepare(AT).get(sequence)?.['nonce'] !== nonce)
    return whole(
      'the database is another file, was restored from a backup, or its change log does not reach back to the last read',
    )
  if (stamp.identity !== cursor.file)
    return whole('the database was replaced by another file with the same change log, such as a copy')
  if (stamp.schema !== cursor.schema) return whole('the tables of the database were changed or recreated')
  const isSilent = Number(database.prepare(LAST).get()?.['sequence']) === sequence
  if (isSilent && stamp.content !== cursor.content)
    return whole('the database has changed, but its change log has no new row')
  if (!isSilent && lacksChanges({ database, stamp }, cursor))
    return whole('the change log of the database lacks some of the changes since the last read')
  const keys = database.prepare(DOCUMENTS).all(sequence).map(parseKey)
  if (keys.includes(null)) return whole('the id of a changed document is not valid text')
  return {
    kind: 'sellers',
    sellers: database
      .prepare(SELLERS)
      .all(sequence)
      .map((row) => String(row['seller'])),
    documents: keys.filter((key) => key !== null),
    // A row that was written by hand may name a seller but no document. Then all documents of the changed sellers are
    // read.
    isExact: database.prepare(WITHOUT_DOCUMENT).get(sequence) === undefined,
  }
}

// Returns true if rows after the cursor are missing, that is, if their numbers have a gap, or if the file counted more
// transactions than the log has changes. With a write-ahead log, `content` is not a number, so the second comparison is
// false.
function lacksChanges({ database, stamp }: Logged, { sequence, content }: Cursor): boolean {
  const { rows, ends } = database.prepare(AFTER).get(sequence) ?? {}
  if (Number(database.prepare(LAST).get()?.['sequence']) - sequence !== Number(rows)) return true
  return Number(stamp.content) - Number(content) > Number(ends)
}

function whole(reason: string): SourceChanges {
  return { kind: 'whole', reason }
}

function parseCursor(text: string): Cursor | null {
  const value = parseJson(text)
  return isCursor(value) ? value : null
}

function isCursor(value: unknown): value is Cursor {
  return (
    isRecord(value) &&
    [value['sequence'], value['schema']].every(Number.isSafeInteger) &&
    [value['nonce'], value['file'], value['content']].every((field) => typeof field === 'string')
  )
}

function parseKey({ collection: name, id, bytes }: Row): DocumentKey | null {
  const collection = COLLECTIONS.find((one) => one === name)
  return collection === undefined || typeof id !== 'string' || !isUtf8(id, bytes) ? null : { collection, id }
}
