/** Compares the search index with the site, a bucket at a time, and repairs what differs. Independent of the lane. */
import { ALL_BUCKETS, BUCKETS } from '../../../domain/objects/object-key.ts'
import { digestEntry } from '../../../domain/search/search-entry.ts'
import { digestBucket } from '../../../domain/search/search-index.ts'
import type { IndexedSeller } from '../../../domain/search/search-index.ts'
import type { SellerResult } from '../../../domain/wire/search-calls.ts'
import { inLanes } from '../../../domain/work/batches.ts'
import type { SearchClient } from './search-client.ts'
import type { ReadEntry } from './send-updates.ts'

export interface IndexComparison {
  readonly client: Pick<SearchClient, 'readDigests' | 'listSellers' | 'endComparison' | 'clear'>
  /** Returns the sellers of a bucket that have products. */
  readonly readBucket: (bucket: number) => Iterable<string>
  readonly read: ReadEntry
  /** Whether the index keeps what it has of a seller. */
  readonly isLeftOut: (seller: string) => boolean
  /** That of all repairs, greater than those of older publishers; `null` if each seller has its own. */
  readonly sequence: number | null
  /** Replaces sellers in the index, as repairs that began at this time. */
  readonly repair: (sellers: readonly string[], since: number) => Promise<readonly SellerResult[]>
  /** Called when a sequence of the index is ahead of the site's: whether that cannot be the work of another publisher. */
  readonly isOtherLife: () => Promise<boolean>
  /** Called before the index is cleared: it has nothing until a comparison ends. */
  readonly forget: () => void
  readonly progress: (text: string) => void
  /** Ends the comparison between two buckets. */
  readonly signal?: AbortSignal
}

export interface Compared {
  /** Number of shards. */
  readonly shards: number
  /** Sellers that differed. */
  readonly repaired: number
  /** Sellers that differ still, because their updates fail. */
  readonly failed: number
}

/** Buckets in work at a time: they belong to different shards. */
const WIDTH = 4

/**
 * An index that is ahead of the site, as after the loss of what the site counts with, would ignore all updates for long:
 * it is cleared and filled. Rejects if a call fails, or the signal aborts.
 */
export async function compareIndex(comparison: IndexComparison): Promise<Compared> {
  const { client, sequence, isOtherLife, forget, progress } = comparison
  let round = await compareBuckets(comparison)
  if (round.isAhead && (await isOtherLife())) {
    progress('Clearing the search index, which is ahead of the site')
    forget()
    await client.clear({ clear: true, since: round.since })
    round = await compareBuckets(comparison)
  }
  await client.endComparison({ repaired: round.repaired, since: round.since, floor: sequence ?? 0 })
  return round
}

interface Round extends Compared {
  readonly isAhead: boolean
  /** When it began, as the site told it. */
  readonly since: number
}

async function compareBuckets(comparison: IndexComparison): Promise<Round> {
  const { client, sequence, progress, signal } = comparison
  const { shards, since, floor, buckets } = await client.readDigests()
  const told = new Map(buckets.map(({ bucket, digest }) => [bucket, digest]))
  const doing = told.size === 0 ? 'Filling' : 'Comparing'
  const nothing = await digestBucket([])
  let [repaired, failed, isAhead] = [0, 0, sequence !== null && floor > sequence]
  await inLanes(ALL_BUCKETS.values(), WIDTH, async (bucket) => {
    signal?.throwIfAborted()
    const part = await compareBucket({ bucket, digest: told.get(bucket) ?? nothing, since }, comparison)
    repaired += part.repaired
    failed += part.failed
    isAhead ||= part.isAhead
    if (part.repaired > 0) progress(`${doing} the search index: bucket ${bucket + 1} of ${BUCKETS}`)
  })
  return { shards, repaired, failed, isAhead, since }
}

interface ToldBucket {
  readonly bucket: number
  readonly digest: string
  readonly since: number
}

async function compareBucket(
  { bucket, digest, since }: ToldBucket,
  comparison: IndexComparison,
): Promise<Pick<Round, 'repaired' | 'failed' | 'isAhead'>> {
  const wanted = await readWanted(bucket, comparison)
  const list = [...wanted].map(([seller, one]) => ({ seller, digest: one }))
  if ((await digestBucket(list)) === digest) return { repaired: 0, failed: 0, isAhead: false }
  const seen = await listIndexed(bucket, comparison)
  const sellers = [...new Set([...wanted.keys(), ...seen.keys()])].filter((one) => !comparison.isLeftOut(one))
  const other = sellers.filter((one) => (wanted.get(one) ?? null) !== (seen.get(one)?.digest ?? null))
  const results = await comparison.repair(other, since)
  return {
    repaired: results.filter(({ outcome }) => outcome === 'stored').length,
    failed: results.filter(({ outcome }) => outcome === 'failed').length,
    // What the update was made from was read after the look at the index.
    isAhead: results.some(
      ({ seller, sequence, outcome }) => outcome === 'late' && sequence < (seen.get(seller)?.sequence ?? 0),
    ),
  }
}

/** Returns digests by seller. */
async function readWanted(
  bucket: number,
  { readBucket, read }: IndexComparison,
): Promise<ReadonlyMap<string, string>> {
  const wanted = new Map<string, string>()
  for (const seller of readBucket(bucket)) {
    const digest = await digestEntry(read(seller))
    if (digest !== null) wanted.set(seller, digest)
  }
  return wanted
}

async function listIndexed(
  bucket: number,
  { client }: IndexComparison,
): Promise<ReadonlyMap<string, IndexedSeller>> {
  const sellers: IndexedSeller[] = []
  let after: string | null = null
  do {
    const page = await client.listSellers({ bucket, after })
    sellers.push(...page.sellers)
    after = page.next
  } while (after !== null)
  return new Map(sellers.map((one) => [one.seller, one]))
}
