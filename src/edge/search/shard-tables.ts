/** The tables of a shard. */
import type { DurableObjectState } from 'cloudflare:workers'

/** SQLite, as a Durable Object has it. */
export type ShardStorage = Pick<DurableObjectState['storage'], 'sql' | 'transactionSync'>

export type ReadRows = <Row>(query: string, ...bindings: readonly (string | number)[]) => readonly Row[]

/** Must be raised when the tables change. The shard is then emptied, and filled again by the comparison of digests. */
const VERSION = 5

/**
 * - `documents`: what is found, a product or a seller. The key is its rank, so that the first rows are the best ones.
 * - `word_index`: the keys of documents by word. It has no copy of the words and no positions of words.
 * - `sellers`: also those that were removed, whose `digest` and `keys` are empty.
 * - `words`: the distinct words, and how many sellers have each; those of names of sellers also with `SELLER_MARK` before
 *   them, to know which words no seller's name has.
 * - `word_ends`, `word_gaps`: words by their ends, and by what is left of them without one letter.
 * - `notes`: what is known of the upkeep, in one row, with the numbers of sellers and products. `missed` is the time of the last seller that could not be updated. `salt`
 *   is secret: it is random, and never leaves the shard.
 */
const TABLES: Readonly<Record<string, string>> = {
  documents: 'TABLE documents (key INTEGER PRIMARY KEY, words TEXT NOT NULL, value TEXT NOT NULL) STRICT',
  // The tokenizer `ascii` divides prepared words at spaces only, so a word of a query is always one token.
  word_index: `VIRTUAL TABLE word_index USING fts5
    (words, content='documents', content_rowid='key', tokenize='ascii', prefix='1 2 3', detail=none, columnsize=0)`,
  sellers: `TABLE sellers (bucket INTEGER NOT NULL, seller TEXT NOT NULL, sequence INTEGER NOT NULL,
    digest TEXT NOT NULL, keys TEXT NOT NULL, PRIMARY KEY (bucket, seller)) STRICT, WITHOUT ROWID`,
  words: 'TABLE words (word TEXT PRIMARY KEY, sellers INTEGER NOT NULL) STRICT, WITHOUT ROWID',
  word_ends: `TABLE word_ends (part TEXT NOT NULL, word TEXT NOT NULL, PRIMARY KEY (part, word)) STRICT, WITHOUT ROWID`,
  word_gaps: `TABLE word_gaps (part TEXT NOT NULL, word TEXT NOT NULL, PRIMARY KEY (part, word)) STRICT, WITHOUT ROWID`,
  notes: `TABLE notes (only INTEGER PRIMARY KEY CHECK (only = 1), compared TEXT, repaired INTEGER NOT NULL,
    unfed INTEGER NOT NULL, missed INTEGER NOT NULL, begun INTEGER NOT NULL, fence INTEGER NOT NULL, floor INTEGER NOT NULL,
    salt TEXT NOT NULL, sellers INTEGER NOT NULL, products INTEGER NOT NULL) STRICT`,
}

/**
 * By itself, the full-text index merges its segments in any transaction, with any number of rows. `mergeSegments` does it in
 * small parts.
 */
const SETTINGS = `INSERT INTO word_index (word_index, rank) VALUES ('automerge', 0), ('crisismerge', 1999)`

export interface Fresh {
  /** In ms. */
  readonly now: () => number
  readonly createSalt: () => string
}

export function openTables(storage: ShardStorage, { now, createSalt }: Fresh): ReadRows {
  const { sql } = storage
  const read: ReadRows = <Row>(query: string, ...bindings: readonly (string | number)[]) =>
    sql.exec(query, ...bindings).toArray() as readonly Row[]
  storage.transactionSync(() => {
    sql.exec('CREATE TABLE IF NOT EXISTS tables (version INTEGER NOT NULL) STRICT')
    const [row] = read<{ version: number }>('SELECT version FROM tables')
    if (row?.version !== VERSION) createTables(sql, { begun: now(), fence: 0, salt: createSalt() })
  })
  return read
}

/** Removes all data. The caller provides the transaction. `fence`: updates that began before it are not taken. */
export function createTables(
  sql: ShardStorage['sql'],
  { begun, fence, salt }: { readonly begun: number; readonly fence: number; readonly salt: string },
): void {
  for (const [name, table] of Object.entries(TABLES)) {
    sql.exec(`DROP TABLE IF EXISTS ${name}`)
    sql.exec(`CREATE ${table}`)
  }
  sql.exec(SETTINGS)
  sql.exec('DELETE FROM tables')
  sql.exec('INSERT INTO tables VALUES (?)', VERSION)
  sql.exec('INSERT INTO notes VALUES (1, NULL, 0, 0, 0, ?, ?, 0, ?, 0, 0)', begun, fence, salt)
}
