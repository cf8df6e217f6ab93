/** Creates and opens the tables of a shard. */
import type { DurableObjectState } from 'cloudflare:workers'

/** The SQLite storage of a Durable Object. */
export type ShardStorage = Pick<DurableObjectState['storage'], 'sql' | 'transactionSync'>

export type ReadRows = <Row>(query: string, ...bindings: readonly (string | number)[]) => readonly Row[]

/** Must be increased when the tables change. The shard is then emptied, and the next comparison fills it again. */
const VERSION = 6

/**
 * - `documents`: the products and sellers that a search can find. Their keys ascend by rank, so that the first rows are
 *   the best ones.
 * - `word_index`: the keys of documents by word. Contains neither a copy of the words nor their positions.
 * - `sellers`: a row for each seller with products. A seller that was removed or lost all products since the last
 *   comparison began keeps a row, with an empty `digest` and no keys. `tag` counts the puts of a seller.
 * - `words`: the distinct words, and how many sellers have each. A word of a seller's name has a second row with the
 *   prefix `SELLER_MARK`.
 * - `word_ends`, `word_gaps`: words by their endings, and by the texts that remain if one letter is left out.
 * - `notes`: one row with the ids of the shard's life and epoch, the state of comparisons, and the numbers of sellers
 *   and products. `unfed` counts failed updates; `met` is the part of `unfed` from before the last comparison began.
 *   `salt` is random and secret: it never leaves the shard.
 */
const TABLES: Readonly<Record<string, string>> = {
  documents: 'TABLE documents (key INTEGER PRIMARY KEY, words TEXT NOT NULL, value TEXT NOT NULL) STRICT',
  // The words contain no ASCII punctuation. So the tokenizer `ascii` divides them at spaces only, and a word of a query
  // is always one token.
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
  /** A random id, which changes when the shard is emptied. */
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

/** Drops and creates all tables, which deletes all data. The caller opens the transaction. */
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
