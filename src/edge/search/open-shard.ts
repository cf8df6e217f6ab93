/** A shard of the search index on SQLite: all sellers of some buckets. Independent of Durable Objects. */
import type {
  BucketDigest,
  Comparison,
  IndexCount,
  IndexedSeller,
  IndexNotes,
  ShardAnswer,
} from '../../domain/search/search-index.ts'
import { digestBucket, MAX_LISTED } from '../../domain/search/search-index.ts'
import { findInShard } from './find-in-shard.ts'
import type { ReadRows, ShardStorage } from './shard-tables.ts'
import { createTables, openTables } from './shard-tables.ts'
import type { UpdateSellers } from './update-sellers.ts'
import { createUpdater } from './update-sellers.ts'
import { readMessage } from '../../domain/documents/errors.ts'

// What could not be updated while the comparison ran may belong to a bucket that it had seen before.
const NOTE_COMPARED = `UPDATE notes SET compared = ?, repaired = ?,
  unfed = CASE WHEN missed < ? THEN 0 ELSE unfed END, floor = max(floor, ?)`
const NOTE_UNFED = 'UPDATE notes SET unfed = unfed + ?, missed = ?'
const NO_NOTES: IndexNotes = { compared: null, repaired: 0, unfed: 0, begun: 0, fence: 0, floor: 0 }

export interface Shard {
  /** Replaces sellers one after another, each in transactions between which searches are answered. */
  readonly update: UpdateSellers
  /** `words` are those of `parseQuery`. */
  find(words: readonly string[]): ShardAnswer
  digestBuckets(): Promise<readonly BucketDigest[]>
  listSellers(bucket: number, after: string | null): readonly IndexedSeller[]
  count(): IndexCount
  /** `now`: RFC 3339. */
  noteCompared(comparison: Comparison, now: string): void
  noteUnfed(sellers: number): void
  readNotes(): IndexNotes
  clear(since: number): void
}

export interface ShardOptions {
  /** In ms. */
  readonly now?: () => number
  /** Of an index that is created or emptied. */
  readonly createSalt?: () => string
  /** Resolves after other events were let in. */
  readonly pause?: () => Promise<void>
  /** Receives a line for a seller that cannot be updated. */
  readonly log?: (line: string) => void
}

export function openShard(
  storage: ShardStorage,
  {
    now = Date.now,
    createSalt = () => crypto.randomUUID(),
    pause = letEventsIn,
    log = () => {},
  }: ShardOptions = {},
): Shard {
  const read = openTables(storage, { now, createSalt })
  const readNotes = (): IndexNotes =>
    read<IndexNotes>('SELECT compared, repaired, unfed, begun, fence, floor FROM notes')[0] ?? NO_NOTES
  // Kept here, because an update should read no row more.
  let { begun, fence, floor } = readNotes()
  let salted = { read, salt: readSalt(read) }
  const noteUnfed = (sellers: number): void => void read(NOTE_UNFED, sellers, now())
  return {
    update: createUpdater({
      storage,
      read,
      pause,
      isLate: ({ since, sequence }) => since < fence || sequence < floor,
      openSalted: () => salted,
      fail: (error) => {
        log(`search: a seller cannot be updated: ${readMessage(error)}`)
        noteUnfed(1)
      },
    }),
    find: (words) => findInShard(read, words),
    digestBuckets: () => digestBuckets(read),
    listSellers: (bucket, after) => listSellers(read, bucket, after),
    count: () => read<IndexCount>('SELECT sellers, products FROM notes')[0] ?? { sellers: 0, products: 0 },
    noteCompared: (comparison, at) => {
      const { repaired, since } = comparison
      read(NOTE_COMPARED, at, repaired, since, comparison.floor)
      floor = readNotes().floor
    },
    noteUnfed,
    readNotes,
    clear: (since) => {
      if (since < begun) return
      // Later than what was told to whoever began in this millisecond.
      const cleared = Math.max(now(), begun) + 1
      const fresh = { begun: cleared, fence: cleared, salt: createSalt() }
      storage.transactionSync(() => createTables(storage.sql, fresh))
      ;[begun, fence, floor] = [cleared, cleared, 0]
      salted = { read, salt: readSalt(read) }
    },
  }
}

function readSalt(read: ReadRows): string {
  return read<{ salt: string }>('SELECT salt FROM notes')[0]?.salt ?? ''
}

/** A timer is an event of its own: those that wait come before it. */
function letEventsIn(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, 0))
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
