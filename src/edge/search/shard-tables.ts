/** The tables of a shard. */
import type { DurableObjectState } from 'cloudflare:workers'

/** SQLite, as a Durable Object has it. */
export type ShardStorage = Pick<DurableObjectState['storage'], 'sql' | 'transactionSync'>

export type ReadRows = <Row>(query: string, ...bindings: readonly (string | number)[]) => readonly Row[]

/** Must be raised when the tables change. The shard is then emptied, and filled again by the comparison of digests. */
const VERSION = 6

/**
 * - `documents`: what is found, a product or a seller. The key is its rank, so that the first rows are the best ones.
 * - `word_index`: the keys of documents by word. It has no copy of the words and no positions of words.
 * - `sellers`: a row for each seller, also for those removed since the last comparison began, whose `digest` and `keys`
 *   are empty. `tag` counts the puts of a seller.
 * - `words`: the distinct words, and how many sellers have each. A word of a seller's name has another row with the
 *   prefix `SELLER_MARK`, which shows that it occurs in a seller's name.
 * - `word_ends`, `word_gaps`: words by their ends, and by what remains of them without one letter.
 * - `notes`: one row with the state of comparisons and the numbers of sellers and products. `unfed` counts failed
 *   updates; `met` is the part of it from before the last comparison began. `salt` is secret: it is random, and never
 *   leaves the shard.
 */
const TABLES: Readonly<Record<string, string>> = {
  documents: 'TABLE documents (key INTEGER PRIMARY KEY, words TEXT NOT NULL, value TEXT NOT NULL) STRICT',
  // The tokenizer `ascii` divides prepared words at spaces only, so a word of a query is always one token.
  word_index: `VIRTUAL TABLE word_index USING fts5
    (words, content='documents', content_rowid='key', tokenize='ascii', prefix='1 2 3', detail=none, columnsize=0)`,
  sellers: `TABLE sellers (bucket INTEGER NOT NULL, seller TEXT NOT NULL, tag INTEGER NOT NULL,
    digest TEXT NOT NULL, keys TEXT NOT NULL, PRIMARY KEY (bucket, seller)) STRICT, WITHOUT ROWID`,
  words: 'TABLE words (word TEXT PRIMARY KEY, sellers INTEGER NOT NULL) STRICT, WITHOUT ROWID',
  word_ends: `TABLE word_ends (part TEXT NOT NULL, word TEXT NOT NULL, PRIMARY KEY (part, word)) STRICT, WITHOUT ROWID`,
  word_gaps: `TABLE word_gaps (part TEXT NOT NULL, word TEXT NOT NULL, PRIMARY KEY (part, word)) STRICT, WITHOUT ROWID`,
  notes: `TABLE notes (only INTEGER PRIMARY KEY CHECK (only = 1), life TEXT NOT NULL, epoch TEXT NOT NULL,
    salt TEXT NOT NULL, compared TEXT, repaired INTEGER NOT NULL, unfed INTEGER NOT NULL, met INTEGER NOT NULL,
    sellers INTEGER NOT NULL, products INTEGER NOT NULL) STRICT`,
}

/**
 * Turns off the automatic merges of the full-text index, which may write any number of rows in any transaction.
 * `mergeSegments` merges in small parts instead.
 */
const SETTINGS = `INSERT INTO word_index (word_index, rank) VALUES ('automerge', 0), ('crisismerge', 1999)`

export interface ShardTables {
  readonly read: ReadRows
  /** Random; changes when the shard was emptied. */
  readonly life: string
  readonly epoch: string
  /** Added to ids before they are hashed. */
  readonly salt: string
}

export function openTables(storage: ShardStorage, createSalt: () => string): ShardTables {
  const read = createRead(storage)
  storage.transactionSync(() => {
    read('CREATE TABLE IF NOT EXISTS tables (version INTEGER NOT NULL) STRICT')
    const [row] = read<{ version: number }>('SELECT version FROM tables')
    if (row?.version !== VERSION) createTables(read, createSalt())
  })
  const [notes] = read<Omit<ShardTables, 'read'>>('SELECT life, epoch, salt FROM notes')
  if (notes === undefined) throw new Error('the table `notes` of this search shard is empty')
  return { read, ...notes }
}

export function createRead({ sql }: Pick<ShardStorage, 'sql'>): ReadRows {
  return <Row>(query: string, ...bindings: readonly (string | number)[]) =>
    sql.exec(query, ...bindings).toArray() as readonly Row[]
}

/** Creates all tables anew, which removes all data. The caller provides the transaction. */
function createTables(read: ReadRows, salt: string): void {
  for (const [name, table] of Object.entries(TABLES)) {
    read(`DROP TABLE IF EXISTS ${name}`)
    read(`CREATE ${table}`)
  }
  read(SETTINGS)
  read('DELETE FROM tables')
  read('INSERT INTO tables VALUES (?)', VERSION)
  const [life, epoch] = [crypto.randomUUID(), crypto.randomUUID()]
  read('INSERT INTO notes VALUES (1, ?, ?, ?, NULL, 0, 0, 0, 0, 0)', life, epoch, salt)
}
