/** Compares the search index with the site, a bucket at a time. Independent of the lane. */
import { ALL_BUCKETS, BUCKETS } from '../../../domain/objects/object-key.ts'
import { digestEntry } from '../../../domain/search/search-entry.ts'
import type { IndexedSeller } from '../../../domain/search/search-index.ts'
import { digestBucket } from '../../../domain/search/search-index.ts'
import { inLanes } from '../../../domain/work/batches.ts'
import type { Snapshot } from '../../state/snapshot/snapshot.ts'
import type { ReadEntry, SellerResult } from './put-sellers.ts'
import type { SearchClient } from './search-client.ts'

export interface IndexComparison {
  readonly client: Pick<SearchClient, 'begin' | 'listSellers'>
  readonly snapshot: Pick<Snapshot, 'readBucket'>
  readonly read: ReadEntry
  /** Receives sellers that differ: replaces them in the index, or remembers to do it. Returns what was done at once. */
  readonly repair: (sellers: readonly string[]) => Promise<readonly SellerResult[]>
  readonly progress: (text: string) => void
  /** Ends the comparison between two buckets. */
  readonly signal?: AbortSignal
}

export interface Compared {
  /** The one that the comparison began. Tags from before it are not valid any more. */
  readonly epoch: string
  /** Names the index until it is emptied. */
  readonly life: string
  /** Sellers that differed, and were repaired at once. */
  readonly repaired: number
  /** Sellers that differ still, because their updates fail. */
  readonly failed: number
}

/** Buckets in work at a time: they belong to different shards. */
const WIDTH = 4

/** Rejects if a call fails, or the signal aborts. The caller ends the comparison. */
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

/** `digest` is that of the bucket in the index. */
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

/** Returns digests by seller. */
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
