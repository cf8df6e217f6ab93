/** A shard of the search index in SQLite, with all sellers of some buckets. Independent of Durable Objects. */
import { readMessage } from '../../domain/documents/errors.ts'
import type {
  BucketDigest,
  IndexedSeller,
  SearchIndex,
  ShardState,
} from '../../domain/search/search-index.ts'
import { digestBucket, MAX_LISTED } from '../../domain/search/search-index.ts'
import { findInShard } from './find-in-shard.ts'
import { formatSellerTag, readTag, replaceSeller } from './replace-seller.ts'
import type { ReadRows, ShardStorage } from './shard-tables.ts'
import { openTables } from './shard-tables.ts'
import { createUpdater } from './update-sellers.ts'

const BEGIN_EPOCH = 'UPDATE notes SET epoch = ?, met = unfed'
// The row of a deleted seller is kept only to reject outdated tags. A new epoch, which begins with each comparison,
// makes all earlier tags invalid, so the row is no longer needed.
const FORGET_GONE = `DELETE FROM sellers WHERE digest = ''`
// Subtracts only the updates that failed before the comparison began. A seller whose update failed during the
// comparison may belong to a bucket that had already been compared.
const NOTE_COMPARED =
  'UPDATE notes SET compared = ?, repaired = ?, unfed = unfed - met, met = 0 WHERE epoch = ?'
const NOTE_UNFED = 'UPDATE notes SET unfed = unfed + 1'
const READ_STATE = 'SELECT life, sellers, products, compared, repaired, unfed FROM notes'

export interface ShardOptions {
  /** Returns the current time in RFC 3339. */
  readonly now?: () => string
  /** Creates the random `salt` of a new shard. */
  readonly createSalt?: () => string
  /** Resolves after the events that are already waiting have run. */
  readonly pause?: () => Promise<void>
  /** Receives a line for a seller that cannot be updated. */
  readonly log?: (line: string) => void
}

export function openShard(
  storage: ShardStorage,
  {
    now = () => new Date().toISOString(),
    createSalt = () => crypto.randomUUID(),
    pause = letEventsIn,
    log = () => {},
  }: ShardOptions = {},
): SearchIndex {
  const tables = openTables(storage, createSalt)
  const { read, life } = tables
  // Kept in memory, so that an update does not read another row.
  let { epoch } = tables
  const fail = (error: unknown): void => {
    log(`search: a seller cannot be updated: ${readMessage(error)}`)
    read(NOTE_UNFED)
  }
  const see: SearchIndex['see'] = async (sellers) => ({
    life,
    tags: sellers.map((one) => formatSellerTag(epoch, readTag(read, one))),
  })
  const update = createUpdater({
    storage,
    read,
    readEpoch: () => epoch,
    replace: (one, seen) => replaceSeller({ ...tables, epoch: seen }, one),
    pause,
    fail,
  })
  return {
    see,
    update,
    find: async (words) => findInShard(read, words),
    begin: async (next) => {
      storage.transactionSync(() => {
        read(BEGIN_EPOCH, next)
        read(FORGET_GONE)
      })
      epoch = next
      return { life, buckets: await digestBuckets(read) }
    },
    listSellers: async (bucket, after) => listSellers(read, bucket, after),
    noteCompared: async ({ epoch: ended, repaired }) => void read(NOTE_COMPARED, now(), repaired, ended),
    readState: async () => readState(read),
  }
}

/** Resolves in a new timer event, which runs after the events that are already waiting. */
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
  return read<{ seller: string; digest: string }>(
    'SELECT seller, digest FROM sellers WHERE bucket = ? AND seller > ? ORDER BY seller LIMIT ?',
    bucket,
    after ?? '',
    MAX_LISTED,
  ).map(({ seller, digest }) => ({ seller, digest: digest === '' ? null : digest }))
}

function readState(read: ReadRows): ShardState {
  const [state] = read<ShardState>(READ_STATE)
  if (state === undefined) throw new Error('the table `notes` of this search shard is empty')
  return { ...state }
}
