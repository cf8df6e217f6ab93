/** A shard of the search index on SQLite: all sellers of some buckets. Independent of Durable Objects. */
import type {
  BucketDigest,
  IndexCount,
  IndexedSeller,
  IndexNotes,
  SellerUpdate,
  ShardAnswer,
  UpdateOutcome,
} from '../../domain/search/search-index.ts'
import { digestBucket, MAX_LISTED } from '../../domain/search/search-index.ts'
import { findInShard } from './find-in-shard.ts'
import { replaceSeller } from './replace-seller.ts'
import { SELLER_MARK } from './shard-documents.ts'
import type { ReadRows, ShardStorage } from './shard-tables.ts'
import { createTables, openTables } from './shard-tables.ts'

const NOTE_COMPARED = `INSERT OR REPLACE INTO notes (only, compared, repaired, unfed) VALUES (1, ?, ?, 0)`
const NOTE_UNFED = `INSERT INTO notes (only, compared, repaired, unfed) VALUES (1, NULL, 0, ?)
  ON CONFLICT (only) DO UPDATE SET unfed = unfed + excluded.unfed`
const NO_NOTES: IndexNotes = { compared: null, repaired: 0, unfed: 0 }

export interface Shard {
  /** One transaction. */
  replace(update: SellerUpdate): UpdateOutcome
  /** `words` are those of `parseQuery`. */
  find(words: readonly string[]): ShardAnswer
  digestBuckets(): Promise<readonly BucketDigest[]>
  listSellers(bucket: number, after: string | null): readonly IndexedSeller[]
  count(): IndexCount
  /** `now`: RFC 3339. */
  noteCompared(repaired: number, now: string): void
  noteUnfed(sellers: number): void
  readNotes(): IndexNotes
  clear(): void
}

export function openShard(storage: ShardStorage): Shard {
  const read = openTables(storage)
  return {
    replace: (update) => storage.transactionSync(() => replaceSeller(read, update)),
    find: (words) => findInShard(read, words),
    digestBuckets: () => digestBuckets(read),
    listSellers: (bucket, after) => listSellers(read, bucket, after),
    count: () => count(read),
    noteCompared: (repaired, now) => void read(NOTE_COMPARED, now, repaired),
    noteUnfed: (sellers) => void read(NOTE_UNFED, sellers),
    readNotes: () => read<IndexNotes>('SELECT compared, repaired, unfed FROM notes')[0] ?? NO_NOTES,
    clear: () => storage.transactionSync(() => createTables(storage.sql)),
  }
}

async function digestBuckets(read: ReadRows): Promise<readonly BucketDigest[]> {
  const rows = read<{ bucket: number; seller: string; digest: string }>(
    `SELECT bucket, seller, digest FROM sellers WHERE digest <> '' ORDER BY bucket`,
  )
  const buckets = [...Map.groupBy(rows, ({ bucket }) => bucket)]
  return Promise.all(
    buckets.map(async ([bucket, sellers]) => ({ bucket, digest: await digestBucket(sellers) })),
  )
}

function listSellers(read: ReadRows, bucket: number, after: string | null): readonly IndexedSeller[] {
  return read<{ seller: string; sequence: number; digest: string }>(
    'SELECT seller, sequence, digest FROM sellers WHERE bucket = ? AND seller > ? ORDER BY seller LIMIT ?',
    bucket,
    after ?? '',
    MAX_LISTED,
  ).map(({ seller, sequence, digest }) => ({ seller, sequence, digest: digest === '' ? null : digest }))
}

function count(read: ReadRows): IndexCount {
  const [row] = read<IndexCount>(
    `SELECT count(*) AS sellers, coalesce(sum(json_array_length(keys) - 1), 0) AS products,
    (SELECT count(*) FROM words WHERE word NOT GLOB ?) AS words FROM sellers WHERE digest <> ''`,
    `${SELLER_MARK}*`,
  )
  return { sellers: row?.sellers ?? 0, products: row?.products ?? 0, words: row?.words ?? 0 }
}
