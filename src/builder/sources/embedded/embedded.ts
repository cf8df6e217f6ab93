/** The embedded database as a source: one SQLite file that any tool may edit, with a log of changes kept by triggers. */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import type { SourceDocument } from '../../../domain/documents/document.ts'
import { COLLECTIONS } from '../../../domain/documents/document.ts'
import { parseJson } from '../../../domain/documents/json.ts'
import { chooseSellers, findSeller } from '../find-seller.ts'
import type { Source, SourceItem, SourceRead } from '../source.ts'
import { explainErrors, explainSqlite, openForReading } from './embedded-file.ts'
import { hasLog } from './embedded-schema.ts'

/** A source that reads all documents at once. */
interface EmbeddedSource extends Source {
  readAll(): SourceRead & { readonly items: Iterable<SourceItem> }
  close(): void
}

const ALL = 'SELECT collection, id, update_time, data'
const LOG = 'SELECT sequence, nonce FROM changes'
const CHANGED = 'SELECT DISTINCT seller FROM changes WHERE sequence > ? AND seller IS NOT NULL'

/** Text that SQLite stored with invalid UTF-8 contains this character when it is read. */
const REPLACEMENT = '\uFFFD'

/**
 * Throws a `SourceError` if the file is missing or is not an embedded database. All reads see the state at the time of
 * opening; other programs can write to the file when the source is closed. A table that another program made is read
 * without a log.
 */
export function openEmbedded(path: string): EmbeddedSource {
  const database = openForReading(path)
  const cursor = explainErrors(path, () =>
    hasLog(database) ? formatCursor(database.prepare(`${LOG} ORDER BY sequence DESC LIMIT 1`).get()) : null,
  )
  const isLogged = cursor !== null
  function* read(sql: string, ...parameters: readonly string[][]): Generator<SourceItem> {
    try {
      const statement = database.prepare(sql)
      // Rows as objects take 4 % longer.
      statement.setReturnArrays(true)
      for (const values of parameters)
        for (const row of statement.iterate(...values)) yield parseRow(row as unknown as SQLOutputValue[])
    } catch (error) {
      throw explainSqlite(path, error)
    }
  }
  const selectSellers = (named: readonly string[]): SourceRead => {
    const sellers = [...new Set(named)]
    const items = isLogged
      ? read(`${ALL}, seller FROM documents WHERE seller = ?`, ...sellers.map((seller) => [seller]))
      : chooseSellers(read(`${ALL} FROM documents`, []), sellers)
    return { sellers, cursor: null, items }
  }
  return {
    label: `the database ${path}`,
    readAll: () => ({
      sellers: null,
      cursor,
      items: read(`${ALL}${isLogged ? ', seller' : ''} FROM documents`, []),
    }),
    readSellers: selectSellers,
    readChanges: (text, named) => {
      const changed = isLogged ? explainErrors(path, () => findChanged(database, text)) : null
      return changed === null ? null : { ...selectSellers([...changed, ...named]), cursor }
    },
    close: () => {
      if (database.isOpen) database.close()
    },
  }
}

/** Returns `null` if the log lacks the row of the cursor. */
function findChanged(database: DatabaseSync, cursor: string): readonly string[] | null {
  const sequence = Number(cursor.split('/')[0])
  if (cursor !== formatCursor(database.prepare(`${LOG} WHERE sequence = ?`).get(sequence))) return null
  return database
    .prepare(CHANGED)
    .all(sequence)
    .map(({ seller }) => String(seller))
}

/** Identifies a row of the log by number and nonce. */
function formatCursor(row: Record<string, SQLOutputValue> = {}): string {
  return `${row['sequence']}/${row['nonce']}`
}

// `seller` is missing in a row of a table without that column.
function parseRow([name, id, time, text, seller]: readonly SQLOutputValue[]): SourceItem {
  const collection = COLLECTIONS.find((one) => one === name)
  const isNamed = typeof id === 'string' && id !== '' && !id.includes(REPLACEMENT)
  const reject = (field: string, reason: string): SourceItem => ({
    kind: 'unreadable',
    key: isNamed && collection !== undefined ? { collection, id } : null,
    problem: { collection: collection ?? 'cataloge', id: String(id), field, reason, fatal: true },
  })
  if (collection === undefined) return reject('', `its collection is not one of ${COLLECTIONS.join(', ')}`)
  if (!isNamed) return reject('', 'its id is not a text in UTF-8')
  const data = typeof text === 'string' ? parseJson(text) : undefined
  if (data === undefined) return reject('', 'is not JSON')
  const document: SourceDocument = {
    collection,
    id,
    updateTime: typeof time === 'string' ? time : null,
    data,
  }
  const owner = findSeller(document)
  // SQLite cannot store half of a surrogate pair. No page can have such an owner.
  if (owner?.isWellFormed() === false) return { kind: 'document', document }
  // Otherwise reads of sellers, which SQLite selects, would differ from a read of everything.
  if (owner?.includes(REPLACEMENT) === true || (seller !== undefined && seller !== owner))
    return reject('owner.id', 'occurs more than once, or is not a text in UTF-8')
  return { kind: 'document', document }
}
