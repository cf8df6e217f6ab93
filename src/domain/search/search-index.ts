/** The calls to a shard of the search index, and which shard holds a seller. */
import { digestText } from '../work/digest.ts'
import { findBucket } from '../work/buckets.ts'
import type { Match } from '../pages/found-products.ts'
import type { SearchEntry } from './search-entry.ts'
import { digestEntry } from './search-entry.ts'

/**
 * A shard: one part of the index. Each call resolves after its changes are durable. A seller is replaced in three
 * steps: `see` the tag, read the seller's data, then `update`, which stores the data only if the tag is still the same.
 */
export interface SearchIndex {
  /** Returns the tags of at most `MAX_UPDATES` sellers. */
  see(sellers: readonly PlacedSeller[]): Promise<SeenTags>
  /**
   * Replaces all data of each seller whose tag is still the one that was seen, at most `MAX_UPDATES` sellers. A
   * concurrent search finds each product of a seller either in its old or in its new version.
   */
  update(updates: readonly SellerUpdate[]): Promise<readonly UpdateOutcome[]>
  /** Finds the products and sellers that match all of these words. `words` is the result of `parseQuery`. */
  find(words: readonly string[]): Promise<ShardAnswer>
  /**
   * Begins a comparison and with it an epoch, which makes all earlier tags invalid. Returns a digest for each bucket
   * that has a seller with products.
   */
  begin(epoch: string): Promise<BegunShard>
  /**
   * Returns at most `MAX_LISTED` sellers of a bucket with ids greater than `after`, ascending by id. Includes sellers
   * that were removed since the last comparison began.
   */
  listSellers(bucket: number, after: string | null): Promise<readonly IndexedSeller[]>
  /** Records the end of a comparison, unless another one has begun since. */
  noteCompared(comparison: BucketComparison): Promise<void>
  readState(): Promise<ShardState>
}

/**
 * The best products and sellers that a shard finds, best first. Each list may have one entry more than pages show,
 * which proves that there are further matches.
 */
export interface ShardAnswer {
  readonly products: readonly FoundDocument[]
  readonly sellers: readonly FoundDocument[]
}

export interface FoundDocument {
  /** The rank and a hash, as one number. Among documents with equal `match` and `isRest`, a smaller key is better. */
  readonly key: number
  readonly match: Match
  /**
   * True if at least `MOST_OF_SELLER` products of the same seller rank before this one, which then comes after those of
   * other sellers. Available and unavailable products are counted separately.
   */
  readonly isRest: boolean
  /**
   * The product or seller as JSON. It is parsed only after the answers of all shards are merged, because most matches
   * are not shown.
   */
  readonly value: string
}

/** Max sellers per call. */
export const MAX_UPDATES = 100
/** Max sellers that `listSellers` returns at once. A shorter list is the last one. */
export const MAX_LISTED = 1_000

export interface PlacedSeller {
  readonly bucket: number
  readonly seller: string
}

export interface IndexedSeller {
  readonly seller: string
  /** `null`: the seller is removed, or has no products. */
  readonly digest: string | null
}

export interface SeenTags {
  /** A random id, or a digest of the ids of several shards. It changes when a shard is emptied. */
  readonly life: string
  /**
   * In the order of the sellers. A tag is never reused: it consists of the shard's epoch, which is random, and the
   * number of times that the seller was written, even with equal data.
   */
  readonly tags: readonly string[]
}

export interface SellerUpdate extends PlacedSeller, IndexedSeller {
  /** The tag that was seen before the entry was read. */
  readonly seen: string
  readonly entry: SearchEntry | null
}

/**
 * `equal`: the index had this data already; only the tag changed. `beaten`: the tag has changed since `see` returned
 * it, so the caller must call `see` and read the data again. `failed`: the shard has recorded the failure, and the next
 * comparison repairs the seller.
 */
export const UPDATE_OUTCOMES = ['stored', 'equal', 'beaten', 'failed'] as const
export type UpdateOutcome = (typeof UPDATE_OUTCOMES)[number]

export interface BucketDigest {
  readonly bucket: number
  readonly digest: string
}

interface BegunShard {
  readonly life: string
  readonly buckets: readonly BucketDigest[]
}

export interface BucketComparison {
  /** The epoch that began with this comparison. */
  readonly epoch: string
  /** Number of sellers whose data in the index differed and was replaced. */
  readonly repaired: number
}

export interface ShardState {
  readonly life: string
  /** Number of sellers with products. */
  readonly sellers: number
  readonly products: number
  /** The end of the last comparison with the site, RFC 3339; `null` before the first. */
  readonly compared: string | null
  /** Number of sellers that this comparison repaired. */
  readonly repaired: number
  /** Number of updates of sellers that have failed since that comparison began. */
  readonly unfed: number
}

export function placeSellers(sellers: readonly string[]): Promise<readonly PlacedSeller[]> {
  return Promise.all(sellers.map(async (seller) => ({ seller, bucket: await findBucket(seller) })))
}

export async function createUpdate(
  seller: string,
  entry: SearchEntry | null,
  seen: string,
): Promise<SellerUpdate> {
  const [bucket, digest] = await Promise.all([findBucket(seller), digestEntry(entry)])
  return { seller, bucket, seen, digest, entry }
}

/** Returns the number of the shard that has all sellers of a bucket. */
export function findShard(bucket: number, shards: number): number {
  return bucket % shards
}

/** Returns a digest that is equal for buckets with the same sellers and data. Ignores sellers with `digest: null`. */
export async function digestBucket(sellers: readonly IndexedSeller[]): Promise<string> {
  const lines = sellers
    .filter(({ digest }) => digest !== null)
    .map(({ seller, digest }) => `${digest} ${seller}`)
  return digestText(lines.sort().join('\n'))
}
