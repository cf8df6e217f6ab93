/** Compares the search index with the site, bucket by bucket. */
import { ALL_BUCKETS, BUCKETS } from '../../../domain/work/buckets.ts'
import { digestEntry } from '../../../domain/search/search-entry.ts'
import type { IndexedSeller } from '../../../domain/search/search-index.ts'
import { digestBucket } from '../../../domain/search/search-index.ts'
import { inLanes } from '../../../domain/work/batches.ts'
import type { Snapshot } from '../../state/snapshot/snapshot.ts'
import type { ReadEntry, SellerResult } from './put-sellers.ts'
import type { SearchClient } from './search-client.ts'

interface IndexComparison {
  readonly client: Pick<SearchClient, 'begin' | 'listSellers'>
  readonly snapshot: Pick<Snapshot, 'readBucket'>
  readonly read: ReadEntry
  /** Updates these sellers in the index and returns the results, or queues the sellers and returns an empty list. */
  readonly repair: (sellers: readonly string[]) => Promise<readonly SellerResult[]>
  readonly progress: (text: string) => void
  /** Aborts the comparison before the next bucket. */
  readonly signal?: AbortSignal
}

export interface Compared {
  /** Id of the epoch that began with this comparison. Tags of the index from earlier epochs are invalid. */
  readonly epoch: string
  /** Id of the index, which changes when a shard is emptied or the number of shards changes. */
  readonly life: string
  /** Number of sellers that differed and have been updated. Does not count queued sellers. */
  readonly repaired: number
  /**
   * Number of sellers whose updates failed, or were rejected because their tags were outdated. They may still differ.
   */
  readonly failed: number
}

/**
 * Max buckets compared at the same time. Consecutive buckets are in different shards, so usually no shard gets two
 * calls at once.
 */
const WIDTH = 4

/**
 * Rejects if a call fails or the signal aborts. Once the sellers that differ are updated, the caller must call
 * `endComparison` of the client.
 */
export async function compareIndex(comparison: IndexComparison): Promise<Compared> {
  const { client, repair, progress, signal } = comparison
  const { epoch, life, buckets } = await client.begin({ compare: true })
  const told = new Map(buckets.map(({ bucket, digest }) => [bucket, digest]))
  const doing = told.size === 0 ? 'Filling' : 'Comparing'
  const nothing = await digestBucket([])
  let [repaired, failed] = [0, 0]
  await inLanes(ALL_BUCKETS.values(), WIDTH, async (bucket) => {
    signal?.throwIfAborted()
    const differing = await findDiffering(bucket, told.get(bucket) ?? nothing, comparison)
    if (differing.length === 0) return
    progress(`${doing} the search index: bucket ${bucket + 1} of ${BUCKETS}`)
    for (const { outcome } of await repair(differing)) {
      if (outcome === 'stored') repaired += 1
      if (outcome === 'failed' || outcome === 'beaten') failed += 1
    }
  })
  return { epoch, life, repaired, failed }
}

/** Returns the sellers of a bucket that differ from the index. `digest` is the digest of the bucket in the index. */
async function findDiffering(
  bucket: number,
  digest: string,
  comparison: IndexComparison,
): Promise<readonly string[]> {
  const wanted = await readWanted(bucket, comparison)
  const list = [...wanted].map(([seller, one]) => ({ seller, digest: one }))
  if ((await digestBucket(list)) === digest) return []
  const indexed = await listIndexed(bucket, comparison)
  const sellers = [...new Set([...wanted.keys(), ...indexed.keys()])]
  return sellers.filter((one) => (wanted.get(one) ?? null) !== (indexed.get(one) ?? null))
}

/** Returns the digests that the index should have for the sellers of a bucket. */
async function readWanted(
  bucket: number,
  { snapshot, read }: IndexComparison,
): Promise<ReadonlyMap<string, string>> {
  const wanted = new Map<string, string>()
  for (const { seller } of snapshot.readBucket(bucket)) {
    const digest = await digestEntry(read(seller))
    if (digest !== null) wanted.set(seller, digest)
  }
  return wanted
}

async function listIndexed(
  bucket: number,
  { client }: IndexComparison,
): Promise<ReadonlyMap<string, string | null>> {
  const sellers: IndexedSeller[] = []
  let after: string | null = null
  do {
    const page = await client.listSellers({ bucket, after })
    sellers.push(...page.sellers)
    after = page.next
  } while (after !== null)
  return new Map(sellers.map(({ seller, digest }) => [seller, digest]))
}
