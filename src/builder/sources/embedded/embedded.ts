/** The embedded database as a source: one SQLite file that any tool may edit, and that tells what changed. */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import type { SourceDocument } from '../../../domain/documents/document.ts'
import { COLLECTIONS } from '../../../domain/documents/document.ts'
import { readChangesAfter, readLastCursor } from './embedded-changes.ts'
import { explainSqlite } from './embedded-errors.ts'
import { openForReading } from './embedded-file.ts'
import { findSeller } from '../owner.ts'
import type { SourceChanges, DocumentKey, Source, SourceItem } from '../source.ts'

/** `sample` when the file was made from the bundled sample, which must never stand in for a real site. */
export type Origin = 'sample' | ''

export interface EmbeddedSource extends Source {
  readOrigin(): Origin
}

const AMBIGUOUS =
  'stands more than once, and SQL does not read the one that JavaScript does: keep one of them'

type Row = Record<string, SQLOutputValue>

const SELECT = 'SELECT collection, id, update_time, data, seller FROM documents'

export const QUERIES = {
  collection: `${SELECT} WHERE collection = ? ORDER BY id`,
  seller: `${SELECT} WHERE seller = ?`,
  document: `${SELECT} WHERE collection = ? AND id = ?`,
} as const

/** Throws a `SourceError` when there is no such file or it is not ours. Others cannot write until it is closed. */
export function openEmbedded(path: string): EmbeddedSource {
  return new EmbeddedDatabase(path, openForReading(path))
}

class EmbeddedDatabase implements EmbeddedSource {
  readonly label: string
  readonly readsWhole = false
  readonly #path: string
  readonly #database: DatabaseSync

  constructor(path: string, database: DatabaseSync) {
    this.label = `the database ${path}`
    this.#path = path
    this.#database = database
  }

  /** Profiles first, each collection in the order of its ids. */
  readAll(): AsyncIterable<SourceItem> {
    return this.#read(
      QUERIES.collection,
      COLLECTIONS.map((collection) => [collection]),
    )
  }

  readSellers(sellers: readonly string[]): AsyncIterable<SourceItem> {
    return this.#read(
      QUERIES.seller,
      [...new Set(sellers)].map((seller) => [seller]),
    )
  }

  readDocuments(keys: readonly DocumentKey[]): AsyncIterable<SourceItem> {
    const distinct = new Map(keys.map(({ collection, id }) => [`${collection}/${id}`, [collection, id]]))
    return this.#read(QUERIES.document, [...distinct.values()])
  }

  readChanges(cursor: string | null): SourceChanges {
    return this.#explain(() => readChangesAfter(this.#database, cursor))
  }

  readCursor(): string | null {
    return this.#explain(() => readLastCursor(this.#database))
  }

  readOrigin(): Origin {
    const read = this.#explain(() =>
      this.#database.prepare("SELECT value FROM meta WHERE key = 'origin'").get(),
    )
    return read?.['value'] === 'sample' ? 'sample' : ''
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close()
  }

  async *#read(sql: string, parameters: readonly (readonly string[])[]): AsyncGenerator<SourceItem> {
    try {
      const statement = this.#database.prepare(sql)
      for (const values of parameters) {
        for (const row of statement.iterate(...values)) yield parseRow(row)
      }
    } catch (error) {
      throw explainSqlite(this.#path, error)
    }
  }

  #explain<T>(read: () => T): T {
    try {
      return read()
    } catch (error) {
      throw explainSqlite(this.#path, error)
    }
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

// Half of a surrogate pair never survives SQLite; such an owner is left to the door, which turns it away.
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
