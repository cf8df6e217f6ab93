/** The embedded database as a source: one SQLite file that any tool may edit, with a log of changes kept by triggers. */
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite'
import type { SourceDocument } from '../../../domain/documents/document.ts'
import { COLLECTIONS } from '../../../domain/documents/document.ts'
import { parseJson } from '../../../domain/documents/json.ts'
import { chooseSellers, findSeller } from '../find-seller.ts'
import type { Source, SourceItem, SourceRead } from '../source.ts'
import { explainErrors, explainSqlite, openForReading } from './embedded-file.ts'
import { hasLog } from './embedded-schema.ts'

/** Number and nonce of a row of the log. */
interface Cursor {
  readonly sequence: number
  readonly nonce: string
}

/** A source that reads all documents at once. */
interface EmbeddedSource extends Source {
  readAll(): SourceRead & { readonly items: Iterable<SourceItem> }
  close(): void
}

const ALL = 'SELECT collection, id, update_time, data, seller FROM documents'
const ALL_UNLOGGED = 'SELECT collection, id, update_time, data FROM documents'
const LAST = 'SELECT sequence, nonce FROM changes ORDER BY sequence DESC LIMIT 1'
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
  const isLogged = explainErrors(path, () => hasLog(database))
  const cursor = isLogged ? formatCursor(database) : null
  const read = (sql: string, parameters: readonly SQLInputValue[][] = [[]]): Generator<SourceItem> =>
    readRows({ path, database, sql, parameters })
  const readSellers = (sellers: readonly string[]): SourceRead => {
    const unique = [...new Set(sellers)]
    const items = isLogged
      ? read(
          `${ALL} WHERE seller = ?`,
          unique.map((seller) => [seller]),
        )
      : chooseSellers(read(ALL_UNLOGGED), unique)
    return { sellers: unique, cursor, items }
  }
  return {
    label: `the database ${path}`,
    readAll: () => ({ sellers: null, cursor, items: read(isLogged ? ALL : ALL_UNLOGGED) }),
    readSellers,
    readChanges: (text, named) => {
      const after = isLogged ? findRow(database, text) : null
      if (after === null) return null
      const changed = database.prepare(CHANGED).all(after.sequence)
      return readSellers([...changed.map(({ seller }) => String(seller)), ...named])
    },
    close: () => {
      if (database.isOpen) database.close()
    },
  }
}

function formatCursor(database: DatabaseSync): string {
  const { sequence, nonce } = database.prepare(LAST).get() ?? {}
  return `${sequence}/${nonce}`
}

/** Returns `null` if the log lacks the row of the cursor. */
function findRow(database: DatabaseSync, text: string): Cursor | null {
  const [sequence, nonce] = text.split('/')
  const row = database.prepare('SELECT nonce FROM changes WHERE sequence = ?').get(Number(sequence))
  return nonce === undefined || row?.['nonce'] !== nonce ? null : { sequence: Number(sequence), nonce }
}

interface RowQuery {
  readonly path: string
  readonly database: DatabaseSync
  readonly sql: string
  /** The query is run once with each of these. */
  readonly parameters: readonly SQLInputValue[][]
}

function* readRows({ path, database, sql, parameters }: RowQuery): Generator<SourceItem> {
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
