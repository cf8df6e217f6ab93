/**
 * The calls of builders that concern the search index, and its answers. All are signed with the builders' secret, and sent
 * to `/api/rebuild/search/<name>`. A site without an index answers 404.
 *
 * - `begin`: tells the number of shards, and the time of updates that begin now.
 * - `update`: replaces sellers. Only in lane `assets`, where the publisher knows the data.
 * - `refresh`: reads the objects of sellers, and replaces these in the index. Only in lane `objects`.
 * - `digests`, `sellers`: what the index has, to compare it with the site.
 * - `compared`: the end of a comparison.
 * - `clear`: empties the index, whose sequences are ahead of those of the site; once for each time that it tells.
 * - `count`: what is in the index, and how it is kept.
 */
import type { SearchEntry } from '../search/search-entry.ts'
import type { BucketDigest, IndexedSeller, IndexNotes, UpdateOutcome } from '../search/search-index.ts'

/** Sent as `{"gzip":"<base64 of the compressed JSON>"}`. Limited as a push of objects. */
export interface UpdateCall {
  readonly isRepair: boolean
  /** As the site told it. */
  readonly since: number
  /** At most `MAX_UPDATES`, of distinct sellers. */
  readonly sellers: readonly SentSeller[]
}

export interface BegunAnswer {
  /** Number of shards. */
  readonly shards: number
  /** In ms by the clock of the site. An update from before the index was emptied is ignored. */
  readonly since: number
  /** Whether a comparison has ended since the index was created or cleared. */
  readonly isFilled: boolean
  /** Updates with a smaller sequence are ignored. */
  readonly floor: number
}

/** The Worker computes the digest, because it depends on the code that makes words of names. */
export interface SentSeller {
  readonly seller: string
  readonly sequence: number
  readonly entry: SearchEntry | null
}

export interface SearchUpdateAnswer {
  /** Number of shards. */
  readonly shards: number
  readonly results: readonly SellerResult[]
}

export interface SellerResult {
  readonly seller: string
  /** That of the update: in lane `objects` the version of the object, 0 without one. */
  readonly sequence: number
  readonly outcome: UpdateOutcome
}

export interface RefreshCall {
  readonly names: readonly string[]
  readonly since: number
}

export interface DigestsAnswer extends BegunAnswer {
  readonly buckets: readonly BucketDigest[]
}

export interface SellersCall {
  readonly bucket: number
  readonly after: string | null
}

export interface SellersAnswer {
  readonly sellers: readonly IndexedSeller[]
  /** `after` of the next call; `null` at the end of the bucket. */
  readonly next: string | null
}

export interface ClearCall {
  readonly clear: true
  readonly since: number
}

export interface IndexState extends Omit<IndexNotes, 'begun' | 'fence' | 'floor'> {
  readonly shards: number
  readonly sellers: number
  readonly products: number
}
