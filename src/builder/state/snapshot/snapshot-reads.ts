/** Reads the snapshot. */
import { readBucket } from '../../../domain/objects/object-key.ts'
import { hash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { Problem } from '../../../domain/documents/document.ts'
import type { ListedSeller } from '../../../domain/pages/sitemap.ts'
import { createCatalogueReads } from './catalogue-reads.ts'
import type { ChangedProducts } from './changed-products.ts'
import type { ProductLimit } from './limit-products.ts'
import { readTogether } from '../sqlite/transactions.ts'
import { listTexts, readMeta, writeMeta } from '../sqlite/values.ts'
import type { DocumentKey } from '../../sources/source.ts'
import { createUnchangedCheck } from './find-hash.ts'
import type { Fed, Position, Snapshot, Totals } from './snapshot.ts'

const LISTED = `
SELECT id, updated FROM sellers INDEXED BY sellers_listed WHERE bucket = ? AND products > 0 ORDER BY id`

// Steps from each bucket to the next through the index, whatever the number of sellers.
const BUCKETS = `
WITH RECURSIVE buckets (bucket) AS (
  SELECT min(bucket) FROM sellers WHERE products > 0
  UNION ALL
  SELECT (SELECT min(bucket) FROM sellers WHERE products > 0 AND sellers.bucket > buckets.bucket)
  FROM buckets WHERE bucket IS NOT NULL
)
SELECT bucket FROM buckets WHERE bucket IS NOT NULL`

type Reads = Omit<Snapshot, 'applyWhole' | 'applyPartial' | 'readHeld' | 'findReleased' | 'logDifferences'>

export interface ReadParts {
  readonly limit: ProductLimit
  readonly products: ChangedProducts
}

export function createReads(database: DatabaseSync, { limit, products }: ReadParts): Reads {
  const listed = database.prepare(LISTED)
  const changed = createSellerList(database, 'changed')
  const unfed = createSellerList(database, 'unfed')
  return {
    ...createCatalogueReads(database, limit),
    limitProducts: (most) => {
      if (limit.set(most)) products.forget()
    },
    readTogether: (work) => readTogether(database, work),
    createUnchangedCheck: () => createUnchangedCheck(database),
    findBucket: findSitemapBucket,
    readBuckets: () => listTexts(database.prepare(BUCKETS)).map(Number),
    readBucket: (bucket) => listed.all(bucket).map(toListed),
    *readSellers() {
      for (const row of database.prepare('SELECT id FROM sellers ORDER BY id').iterate())
        yield String(row['id'])
    },
    readTotals: () => readTotals(database),
    readProblems: () => [...limit.readProblems(), ...readProblems(database)],
    readChanged: changed.read,
    forgetChanged: changed.forget,
    markChanged: (sellers) => {
      products.forget()
      changed.add(sellers)
    },
    findChangedProducts: products.find,
    readUnfed: unfed.read,
    forgetUnfed: unfed.forget,
    markUnfed: unfed.add,
    readFed: () => readFed(database),
    writeFed: (fed) => writeMeta(database, 'fed', JSON.stringify(fed)),
    readPosition: () => readPosition(database),
    readLink: () => readMeta(database, 'link'),
    writeLink: (link) => writeMeta(database, 'link', link),
    readClaimed: () => {
      const text = readMeta(database, 'claimed')
      return text === '' ? null : Number(text)
    },
    writeClaimed: (sequence) => writeMeta(database, 'claimed', String(sequence)),
    readDelivered: () => readMeta(database, 'delivered'),
    writeDelivered: (site) => writeMeta(database, 'delivered', site),
    readVersion: () => ({
      identity: readMeta(database, 'identity'),
      sequence: Number(readMeta(database, 'sequence')),
    }),
    close: () => database.close(),
  }
}

interface SellerList {
  /** In order of their ids. */
  read(): readonly string[]
  add(sellers: readonly string[]): void
  forget(sellers: readonly string[]): void
}

function createSellerList(database: DatabaseSync, table: 'changed' | 'unfed'): SellerList {
  const list = database.prepare(`SELECT seller FROM ${table} ORDER BY seller`)
  const add = database.prepare(`INSERT OR IGNORE INTO ${table} SELECT value FROM json_each(?)`)
  const forget = database.prepare(`DELETE FROM ${table} WHERE seller IN (SELECT value FROM json_each(?))`)
  return {
    read: () => listTexts(list),
    add: (sellers) => {
      if (sellers.length > 0) add.run(JSON.stringify(sellers))
    },
    forget: (sellers) => {
      if (sellers.length > 0) forget.run(JSON.stringify(sellers))
    },
  }
}

/** The same as `findBucket` of the domain, which waits. */
export function findSitemapBucket(seller: string): number {
  return readBucket(hash('sha256', seller, 'buffer'))
}

function toListed(row: Row): ListedSeller {
  return { seller: String(row['id']), updated: String(row['updated']) }
}

type Row = Record<string, unknown>

export function readTotals(database: DatabaseSync): Totals {
  const rows = database.prepare('SELECT name, value FROM totals').all()
  const find = (name: string): number => Number(rows.find((row) => row['name'] === name)?.['value'] ?? 0)
  return { sellers: find('sellers'), profiles: find('users'), products: find('cataloge') }
}

function readProblems(database: DatabaseSync): readonly Problem[] {
  const rows = database
    .prepare('SELECT collection, id, field, reason, fatal FROM problems ORDER BY collection, id, field')
    .all()
  return rows.map((row) => ({
    ...toDocumentKey(row),
    field: String(row['field']),
    reason: String(row['reason']),
    fatal: row['fatal'] === 1,
  }))
}

export function toDocumentKey(row: Row): DocumentKey {
  return { collection: row['collection'] === 'users' ? 'users' : 'cataloge', id: String(row['id']) }
}

function readPosition(database: DatabaseSync): Position | null {
  const text = readMeta(database, 'position')
  return text === '' ? null : (JSON.parse(text) as Position)
}

function readFed(database: DatabaseSync): Fed {
  const text = readMeta(database, 'fed')
  return text === '' ? { index: '', sequence: 0 } : (JSON.parse(text) as Fed)
}
