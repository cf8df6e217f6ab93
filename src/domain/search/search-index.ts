/** The calls to a shard of the search index, and which shard holds a seller. */
import { digestText } from '../objects/digest.ts'
import type { SellerData, ObjectName } from '../objects/object-data.ts'
import { findBucket } from '../objects/object-key.ts'
import type { Match } from '../pages/found-products.ts'
import type { SearchEntry } from './search-entry.ts'
import { digestEntry } from './search-entry.ts'

/** A part of the index. Each call resolves after its changes are durable. */
export interface SearchIndex {
  /**
   * Replaces each seller whole. A search that comes while a seller is replaced sees each of her products as it was or as
   * it will be. At most `MAX_UPDATES`.
   */
  update(updates: readonly SellerUpdate[]): Promise<readonly UpdateOutcome[]>
  /** `words` are those of `parseQuery`. */
  find(words: readonly string[]): Promise<ShardAnswer>
  /** Returns a digest for each bucket that has a seller with products. */
  digestBuckets(): Promise<readonly BucketDigest[]>
  /** Returns the known sellers of a bucket, ascending by id, and those that were removed. */
  listSellers(bucket: number, after: string | null): Promise<readonly IndexedSeller[]>
  count(): Promise<IndexCount>
  /** Notes the end of a comparison. */
  noteCompared(comparison: Comparison): Promise<void>
  /** Notes sellers that could not be updated. The next comparison repairs them. */
  noteUnfed(sellers: number): Promise<void>
  readNotes(): Promise<IndexNotes>
  /**
   * Removes everything, also the sequences. Updates that began before are ignored from then on. Does nothing if the index
   * was created or cleared after `since`: the call is late, or was repeated.
   */
  clear(since: number): Promise<void>
}

/** What a shard found: of both kinds the best ones in their order, and some more than are shown. */
export interface ShardAnswer {
  readonly products: readonly FoundDocument[]
  readonly sellers: readonly FoundDocument[]
}

export interface FoundDocument {
  /** The rank: smaller is better. */
  readonly key: number
  readonly match: Match
  /** Whether it comes behind those of other sellers, because enough better ones of its seller are found. */
  readonly isRest: boolean
  /** JSON. Most of them are not shown, so they are not parsed before the answers are merged. */
  readonly value: string
}

/** Max sellers of one call. */
export const MAX_UPDATES = 100
/** Max sellers that `listSellers` returns at once. Fewer: there are no more. */
export const MAX_LISTED = 1_000

export interface IndexedSeller {
  readonly seller: string
  /**
   * Grows with each change of the seller. An update with a smaller one than the last is ignored, and one with the same,
   * unless it is a repair.
   */
  readonly sequence: number
  /** `null`: the seller is removed, or has no products. */
  readonly digest: string | null
}

export interface SellerUpdate extends IndexedSeller {
  readonly bucket: number
  /**
   * When it began, in ms by the clock of the site. One from before the shard was cleared is ignored: whoever fills the shard
   * reads the site after that.
   */
  readonly since: number
  readonly entry: SearchEntry | null
  /** Whether it replaces other data of the same sequence, which the comparison of digests has found. */
  readonly isRepair: boolean
}

/**
 * `equal`: the index has this data; only the sequence is kept. `late`: the sequence is not greater than the last, or the
 * update began before the shard was emptied. `failed`: the shard has noted the seller as unfed, and the next comparison
 * repairs her.
 */
export const UPDATE_OUTCOMES = ['stored', 'equal', 'late', 'failed'] as const
export type UpdateOutcome = (typeof UPDATE_OUTCOMES)[number]

export interface BucketDigest {
  readonly bucket: number
  readonly digest: string
}

export interface IndexCount {
  readonly sellers: number
  readonly products: number
}

export interface Comparison {
  /** Sellers that differed. */
  readonly repaired: number
  /** When it began, as the site told it. What could not be updated after that is still noted. */
  readonly since: number
  /**
   * Updates with a smaller sequence are ignored from then on, also of sellers that the index does not know; 0 where the
   * sequences of two sellers have no order.
   */
  readonly floor: number
}

/** The upkeep of a shard. */
export interface IndexNotes {
  /** The end of the last comparison with the site, RFC 3339; `null` before the first. */
  readonly compared: string | null
  /** Sellers that it repaired. */
  readonly repaired: number
  /** Sellers that could not be updated since. */
  readonly unfed: number
  /** When the shard was created or cleared, in ms: no call to clear it that began before is carried out. */
  readonly begun: number
  /** When it was cleared, 0 for never: no update that began before is taken. */
  readonly fence: number
  /** The greatest of all comparisons since then. */
  readonly floor: number
}

/** An object as it was put, or as it stands. Its version is the sequence of the seller. */
export interface IndexedObject {
  readonly name: ObjectName
  readonly version: number
  /** `null` for a seller that is gone. */
  readonly data: SellerData | null
}

/** Without `since` it is never from before a shard. */
export async function createUpdate(
  seller: string,
  entry: SearchEntry | null,
  {
    sequence,
    since = Number.MAX_SAFE_INTEGER,
    isRepair = false,
  }: { readonly sequence: number; readonly since?: number; readonly isRepair?: boolean },
): Promise<SellerUpdate> {
  const [bucket, digest] = await Promise.all([findBucket(seller), digestEntry(entry)])
  return { seller, bucket, sequence, since, digest, entry, isRepair }
}

/** Buckets, not sellers, are divided among the shards: one shard tells all about a bucket. */
export function findShard(bucket: number, shards: number): number {
  return bucket % shards
}

/** Equal for buckets with the same sellers and data. Sellers with `digest: null` do not count. */
export async function digestBucket(sellers: readonly Omit<IndexedSeller, 'sequence'>[]): Promise<string> {
  const lines = sellers
    .filter(({ digest }) => digest !== null)
    .map(({ seller, digest }) => `${digest} ${seller}`)
  return digestText(lines.sort().join('\n'))
}
