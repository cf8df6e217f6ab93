/** Implements most methods of `Snapshot` that do not change documents. */
import { readBucket } from '../../../domain/work/buckets.ts'
import { hash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { Problem } from '../../../domain/documents/document.ts'
import type { ListedSeller } from '../../../domain/pages/sitemap.ts'
import { createCatalogueReads } from './catalogue-reads.ts'
import type { ChangedProducts } from './changed-products.ts'
import type { ProductLimit } from './limit-products.ts'
import { readTogether } from '../sqlite/transactions.ts'
import { listTexts, readJson, readMeta, writeJson, writeMeta } from '../sqlite/values.ts'
import type { DocumentKey } from '../../sources/source.ts'
import { createUnchangedCheck } from './find-hash.ts'
import type { PictureStoreVersion, Position, Snapshot, Totals } from './snapshot.ts'

const LISTED = `
SELECT id, updated FROM sellers INDEXED BY sellers_listed WHERE bucket = ? AND products > 0 ORDER BY id`

// Steps from each bucket to the next through the index, so that the time does not grow with the number of sellers.
const BUCKETS = `
WITH RECURSIVE buckets (bucket) AS (
  SELECT min(bucket) FROM sellers WHERE products > 0
  UNION ALL
  SELECT (SELECT min(bucket) FROM sellers WHERE products > 0 AND sellers.bucket > buckets.bucket)
  FROM buckets WHERE bucket IS NOT NULL
)
SELECT bucket FROM buckets WHERE bucket IS NOT NULL`

type Reads = Omit<
  Snapshot,
  'applyWhole' | 'applyPartial' | 'applyPictures' | 'readHeld' | 'findReleased' | 'logDifferences' | 'waits'
>

interface ReadParts {
  readonly limit: ProductLimit
  readonly products: ChangedProducts
}

export function createReads(database: DatabaseSync, { limit, products }: ReadParts): Reads {
  const listed = database.prepare(LISTED)
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
    findChangedProducts: products.find,
    readPosition: () => readJson<Position>(database, 'position'),
    readPictures: () => readJson<PictureStoreVersion>(database, 'pictures'),
    readPublished: () => readJson<string>(database, 'published'),
    writePublished: (version) => writeJson(database, 'published', version),
    readLink: () => readMeta(database, 'link'),
    writeLink: (link) => writeMeta(database, 'link', link),
    readClaimed: () => readJson<number>(database, 'claimed'),
    writeClaimed: (sequence) => writeJson(database, 'claimed', sequence),
    close: () => database.close(),
  }
}

/** Returns the same bucket as `findBucket` of object-key.ts, but synchronously. */
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
