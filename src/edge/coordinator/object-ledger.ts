/**
 * The coordinator’s interface for objects: the guard of removals, the versions in the store, the sitemaps, the state of
 * the site.
 */
import type { ListedSeller } from '../../domain/pages/sitemap.ts'

/** Calls from the Worker to the coordinator. Each resolves after its changes are durable. */
export interface ObjectLedger {
  /** Must be called before a put that may remove something. Returns the names that must not be put, and why. */
  permit(call: PermitCall): Promise<Permission>
  /**
   * Records objects that were put, or that were seen in the store. Ignores a version that is not greater than the known
   * one. With `put`, changes of these sellers that wait for a builder are also recorded as live, except those that
   * arrived after the running build's claim. With `missing`, records that a person deleted the objects from the store;
   * an object that is known with another version is ignored.
   */
  settle(objects: readonly SettledObject[], cause: SettleCause): Promise<void>
  /** Returns the known objects of a bucket, without tombstones and without objects that are missing from the store. */
  readKnown(bucket: number): Promise<readonly KnownObject[]>
  /** Returns the sellers of a bucket that have products, ascending by id. */
  readListed(bucket: number): Promise<readonly ListedSeller[]>
  /** Returns the buckets with at least one seller that has products, ascending. */
  readBuckets(): Promise<readonly number[]>
  readSiteState(): Promise<SiteState>
}

export interface ObjectCounts {
  /** The seller's id. */
  readonly name: string
  /** True for a tombstone, and for an object that is missing from the store. */
  readonly isGone: boolean
  readonly hasProfile: boolean
  readonly products: number
}

export interface PermitCall {
  readonly objects: readonly ObjectCounts[]
  /**
   * True if a person permitted the removals. The call then refuses nothing, and the guard forgets all losses counted so
   * far.
   */
  readonly isShrinkAllowed: boolean
}

export interface Permission {
  readonly refused: readonly string[]
  /** Why objects are refused; `null` if none is. */
  readonly reason: string | null
}

export interface SettledObject extends ObjectCounts {
  readonly version: number
  /** Newest update of the seller's documents, RFC 3339 in UTC; empty for a tombstone, or when unknown. */
  readonly updated: string
}

type SettleCause = 'put' | 'seen' | 'missing'

export interface KnownObject {
  readonly name: string
  readonly version: number
}

/**
 * The freshness of a site in lane `objects`, as published in `/estado.json` beside the fingerprint of the Worker's
 * renderer. Contains no ids of sellers. Times are RFC 3339, durations in ms.
 */
export interface SiteState {
  readonly sellers: number
  /**
   * Sellers with an accepted change that is not live yet. `since`: the arrival of the oldest such change, or of an
   * older request for a full read that is not done; `null` for none.
   */
  readonly waiting: { readonly count: number; readonly since: string | null }
  /**
   * How long the last `count` changes took from their acceptance until they were live. The other fields are `null` if
   * `count` is 0.
   */
  readonly latency: {
    readonly count: number
    readonly p50: number | null
    readonly p95: number | null
    readonly slowest: number | null
  }
  /** When the last full read was published; `null` for never. */
  readonly fullRead: string | null
  /** Whether removals are held back by the guard. */
  readonly isHeld: boolean
}
