/**
 * The state of a site: the documents as they were read, the run that ended last with the basis of its pages, the
 * positions in the source and in the picture store, and the sellers whose pages failed. It remembers no file of the
 * site.
 */
import { hash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { createLimitProblem } from '../../domain/catalogue/product-limit.ts'
import type { Problem } from '../../domain/documents/document.ts'
import type { ListedSeller } from '../../domain/pages/sitemap.ts'
import { ALL_BUCKETS, readBucket } from '../../domain/work/buckets.ts'
import type { SourceRead } from '../sources/source.ts'
import type { AppliedRead, ApplyOptions, Totals } from './apply-read.ts'
import { applyRead } from './apply-read.ts'
import type { CatalogueReads } from './catalogue-reads.ts'
import { createCatalogueReads } from './catalogue-reads.ts'
import { LOCK_PATIENCE, openDatabase } from './sqlite/open-database.ts'
import { readJson, writeMeta } from './sqlite/values.ts'

/** What the run that ended last has left. */
interface ClosedRun {
  /** The id in the marker of the output folder. */
  readonly run: string
  /** The basis of its pages, as text. */
  readonly basis: string
}

/** A position in the log of a source. */
export interface SourcePosition {
  readonly source: string
  /** `null` for a source without a log. */
  readonly cursor: string | null
}

/** A seller whose pages failed, or the pages of no seller, which have the empty id. */
export interface FailedSeller {
  readonly seller: string
  readonly reason: string
  /** Number of failures in a row. */
  readonly tries: number
  /** When she is due again, in milliseconds since 1970. */
  readonly next: number
}

interface Meta {
  readonly closed: ClosedRun
  readonly source: SourcePosition
  readonly totals: Totals
  /** Position of the last claim at the coordinator. */
  readonly claimed: number
  /** The run that was live at the last claim. */
  readonly since: string
}

export interface SiteState extends CatalogueReads {
  /** Opens a transaction, which must be committed or rolled back. */
  begin(): void
  commit(): void
  rollBack(): void
  /** Puts the documents of a read in place of those in its scope. Must be called in a transaction. */
  applyRead(read: SourceRead, options: ApplyOptions): Promise<AppliedRead>
  read<Name extends keyof Meta>(name: Name): Meta[Name] | null
  write<Name extends keyof Meta>(name: Name, value: Meta[Name] | null): void
  readFailed(): readonly FailedSeller[]
  writeFailed(failed: readonly FailedSeller[]): void
  readTotals(): Totals
  /** Returns the number of products of the seller who has most. */
  readLargest(): number
  /** `mostProducts` is the max number of products that are shown of a seller. */
  readProblems(mostProducts: number): readonly Problem[]
  /** Returns the sellers in the order of their ids. */
  readSellers(): Iterable<string>
  /** Returns the buckets that have a seller with products. */
  readBuckets(): readonly number[]
  /** Returns the sellers with products of a bucket, in the order of their ids. */
  readBucket(bucket: number): readonly ListedSeller[]
  /** Returns two ids that differ in case only; `null` if there are none. */
  findSameInCase(): readonly [string, string] | null
  close(): void
}

const SCHEMA = `
CREATE TABLE entries (
  seller TEXT NOT NULL, collection TEXT NOT NULL, id TEXT NOT NULL, value TEXT NOT NULL, time TEXT NOT NULL,
  PRIMARY KEY (seller, collection, id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX entries_id ON entries (collection, id);
CREATE TABLE sellers (
  id TEXT PRIMARY KEY, products INTEGER NOT NULL, updated TEXT NOT NULL, bucket INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX sellers_listed ON sellers (bucket, id, updated) WHERE products > 0;
CREATE INDEX sellers_products ON sellers (products);
CREATE TABLE problems (
  collection TEXT NOT NULL, id TEXT NOT NULL, field TEXT NOT NULL, reason TEXT NOT NULL, fatal INTEGER NOT NULL,
  seller TEXT, PRIMARY KEY (collection, id, field)
) WITHOUT ROWID;
CREATE INDEX problems_seller ON problems (seller);
CREATE TABLE failed (
  seller TEXT PRIMARY KEY, reason TEXT NOT NULL, tries INTEGER NOT NULL, next INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
`

/** A state of another format is replaced by an empty one, and everything is read again. */
const FORMAT = { version: 1, sql: SCHEMA, pageSize: 16_384 }

// A large cache, because a merge of many documents touches pages in the order of two indexes.
const SETTINGS =
  'PRAGMA synchronous = FULL; PRAGMA cache_size = -65536; PRAGMA mmap_size = 1073741824; PRAGMA temp_store = FILE'

const LARGEST = 'SELECT max(products) AS most FROM sellers'
const LISTED = 'SELECT id, updated FROM sellers WHERE bucket = ? AND products > 0 ORDER BY id'
const SAME_IN_CASE =
  'SELECT min(id) AS one, max(id) AS other FROM sellers GROUP BY lower(id) HAVING count(*) > 1'

/** Opens the state, and creates it if the file is missing, damaged or of another format. */
export function openState(file: string): SiteState {
  const database = openDatabase(file, FORMAT)
  database.exec(SETTINGS)
  database.function('find_bucket', { deterministic: true }, (seller) => findBucketOf(String(seller)))
  return createState(database)
}

/** Opens the state for another thread, which only reads what is committed now. */
export function openStateReads(file: string): Pick<SiteState, keyof CatalogueReads | 'readBucket' | 'close'> {
  const database = new DatabaseSync(file, { readOnly: true, timeout: LOCK_PATIENCE })
  // Without a transaction, small reads spend half of their time on locks.
  database.exec('BEGIN')
  return createState(database)
}

/** Returns the bucket of a seller: the number of her file of the sitemap. */
export function findBucketOf(seller: string): number {
  return readBucket(hash('sha256', seller, 'buffer'))
}

function createState(database: DatabaseSync): SiteState {
  const listed = database.prepare(LISTED)
  return {
    ...createCatalogueReads(database),
    begin: () => database.exec('BEGIN IMMEDIATE'),
    commit: () => database.exec('COMMIT'),
    rollBack: () => {
      // SQLite itself ends a transaction after some errors.
      if (database.isTransaction) database.exec('ROLLBACK')
    },
    applyRead: (read, options) => applyRead(database, read, options),
    read: (name) => readJson(database, name),
    write: (name, value) => {
      if (value === null) database.prepare('DELETE FROM meta WHERE name = ?').run(name)
      else writeMeta(database, name, JSON.stringify(value))
    },
    readFailed: () => database.prepare('SELECT * FROM failed ORDER BY seller').all().map(toFailed),
    writeFailed: (failed) => {
      database.exec('DELETE FROM failed')
      const add = database.prepare('INSERT INTO failed VALUES (?, ?, ?, ?)')
      for (const { seller, reason, tries, next } of failed) add.run(seller, reason, tries, next)
    },
    readTotals: () => readJson<Totals>(database, 'totals') ?? { sellers: 0, products: 0 },
    readLargest: () => Number(database.prepare(LARGEST).get()?.['most'] ?? 0),
    readProblems: (mostProducts) => [
      ...database
        .prepare('SELECT id, products FROM sellers WHERE products > ? ORDER BY id')
        .all(mostProducts)
        .map(({ id, products }) => createLimitProblem(String(id), Number(products), mostProducts)),
      ...database.prepare('SELECT * FROM problems ORDER BY collection, id, field').all().map(toProblem),
    ],
    *readSellers() {
      for (const row of database.prepare('SELECT id FROM sellers ORDER BY id').iterate())
        yield String(row['id'])
    },
    readBuckets: () => ALL_BUCKETS.filter((bucket) => listed.get(bucket) !== undefined),
    readBucket: (bucket) =>
      listed.all(bucket).map((row) => ({ seller: String(row['id']), updated: String(row['updated']) })),
    findSameInCase: () => {
      const row = database.prepare(SAME_IN_CASE).get()
      return row === undefined ? null : [String(row['one']), String(row['other'])]
    },
    close: () => database.close(),
  }
}

function toFailed({ seller, reason, tries, next }: Record<string, unknown>): FailedSeller {
  return { seller: String(seller), reason: String(reason), tries: Number(tries), next: Number(next) }
}

function toProblem({ collection, id, field, reason, fatal }: Record<string, unknown>): Problem {
  return {
    collection: collection === 'users' ? 'users' : 'cataloge',
    id: String(id),
    field: String(field),
    reason: String(reason),
    fatal: fatal === 1,
  }
}
