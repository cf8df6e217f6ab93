/** The embedded database as a source: one SQLite file that any tool may edit, with a change log kept by triggers. */
import type { SQLOutputValue } from 'node:sqlite'
import type { SourceDocument } from '../../../domain/documents/document.ts'
import { COLLECTIONS } from '../../../domain/documents/document.ts'
import { readChangesAfter, readLastCursor } from './embedded-changes.ts'
import { explainSqlite } from './embedded-errors.ts'
import { openForReading } from './embedded-file.ts'
import { findSeller } from '../find-seller.ts'
import type { Source, SourceItem } from '../source.ts'

const AMBIGUOUS = 'occurs more than once, and SQL and JavaScript read different values: keep one of them'

type Row = Record<string, SQLOutputValue>

const SELECT = 'SELECT collection, id, update_time, data, seller FROM documents'

export const QUERIES = {
  collection: `${SELECT} WHERE collection = ? ORDER BY id`,
  seller: `${SELECT} WHERE seller = ?`,
  document: `${SELECT} WHERE collection = ? AND id = ?`,
} as const

/**
 * Throws a `SourceError` when the file is missing or is not an embedded database. Other connections cannot write until
 * the source is closed.
 */
export function openEmbedded(path: string): Source {
  const database = openForReading(path)
  async function* read(sql: string, parameters: readonly (readonly string[])[]): AsyncGenerator<SourceItem> {
    try {
      const statement = database.prepare(sql)
      for (const values of parameters) {
        for (const row of statement.iterate(...values)) yield parseRow(row)
      }
    } catch (error) {
      throw explainSqlite(path, error)
    }
  }
  return {
    label: `the database ${path}`,
    readsWhole: false,
    // Profiles first, each collection in the order of its ids.
    readAll: () =>
      read(
        QUERIES.collection,
        COLLECTIONS.map((collection) => [collection]),
      ),
    readSellers: (sellers) =>
      read(
        QUERIES.seller,
        [...new Set(sellers)].map((seller) => [seller]),
      ),
    readDocuments: (keys) => {
      const distinct = new Map(keys.map(({ collection, id }) => [`${collection}/${id}`, [collection, id]]))
      return read(QUERIES.document, [...distinct.values()])
    },
    readChanges: (cursor) => explain(path, () => readChangesAfter(database, cursor)),
    readCursor: () => explain(path, () => readLastCursor(database)),
    close: () => {
      if (database.isOpen) database.close()
    },
  }
}

function explain<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw explainSqlite(path, error)
  }
}

function parseRow(row: Row): SourceItem {
  const collection = row['collection'] === 'users' ? 'users' : 'cataloge'
  const id = String(row['id'])
  const time = row['update_time']
  const updateTime = typeof time === 'string' ? time : null
  const data = parseJson(String(row['data']))
  const reject = (field: string, reason: string): SourceItem => {
    return { kind: 'unreadable', problem: { collection, id, field, reason, fatal: true } }
  }
  if (data === undefined) return reject('', 'is not JSON')
  const document: SourceDocument = { collection, id, updateTime, data }
  if (!isSellerCertain(document, row['seller'])) return reject('owner.id', AMBIGUOUS)
  return { kind: 'document', document }
}

// SQLite cannot store half of a surrogate pair. Such an owner passes here, and `parseDocument` rejects it.
function isSellerCertain(document: SourceDocument, stored: SQLOutputValue | undefined): boolean {
  const seller = findSeller(document)
  return seller === stored || seller?.isWellFormed() === false
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
