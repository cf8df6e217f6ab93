/**
 * The snapshot: the content of the source at the most recent read, in SQLite. Entries whose removal is held back stay.
 */
import type { Catalogue } from '../../../domain/catalogue/catalogue.ts'
import type { Problem } from '../../../domain/documents/document.ts'
import type { ListedSeller } from '../../../domain/pages/sitemap.ts'
import type { DifferenceLog } from './differences.ts'
import type { Batches } from '../../sources/batch-items.ts'
import type {
  DocumentKey,
  Items,
  LookedUp,
  SourceItem,
  UnchangedCheck,
  UnchangedItem,
} from '../../sources/source.ts'
import type { SnapshotPart } from './snapshot-part.ts'
import type { Waits } from './waits.ts'

export interface Totals {
  readonly sellers: number
  readonly profiles: number
  readonly products: number
}

/** A read of some sellers and documents. Only their entries may change. */
export interface PartialRead {
  readonly sellers: readonly string[]
  readonly documents: readonly DocumentKey[]
  /** Sellers to add to `Snapshot.waits`, even if their documents are unchanged. */
  readonly named: readonly string[]
  readonly items: Batches<LookedUp>
  /** Looks up documents that `items` lacks, for example because they moved to another seller or were deleted. */
  readonly lookUp: (documents: readonly DocumentKey[]) => Items<LookedUp>
}

export interface WholeRead {
  readonly items: Batches<SourceItem | UnchangedItem>
  /**
   * The documents that another thread reads at the same time, which `items` lacks; `null` if `items` has all documents.
   */
  readonly part: Promise<SnapshotPart> | null
  /**
   * Reads everything again and yields each document, including unchanged ones, so that deleted entries can be found.
   */
  readonly readAgain: () => Batches<SourceItem>
}

/**
 * Entries that a read removes from the whole site or from one seller. `before` counts all entries before the read,
 * `gone` the removed ones.
 */
export interface Loss {
  readonly before: Pick<Totals, 'profiles' | 'products'>
  readonly gone: Pick<Totals, 'profiles' | 'products'>
  /** Number of products that stay, but lost their own price or that of a decant. */
  readonly pricesGone: number
}

/** The effect of a read on the totals, without the removals that are held back. */
export interface SnapshotChange extends Loss {
  readonly before: Totals
  readonly gone: Totals
  readonly after: Totals
  /** Number of documents read from the source. */
  readonly reads: number
}

/** Decides which removals are held back. Times are milliseconds since 1970. */
export interface HoldRule {
  readonly now: number
  /** Removals that have been held back since this time or earlier are released. */
  readonly released: number
  /**
   * Returns whether to hold back the removals of the seller who loses most. `all` is the total loss of the read, full
   * or partial; `readLargest` returns the loss of this seller.
   */
  isHeld(all: Loss, readLargest: () => Loss): boolean
}

/**
 * The documents of a seller that the snapshot keeps unchanged, although the source lacks them or has them without a
 * price.
 */
export interface HeldRemoval {
  readonly seller: string
  readonly profiles: number
  readonly products: number
  /** When the first of these removals was held back, in milliseconds since 1970. */
  readonly since: number
}

export interface Position {
  readonly source: string
  /** Hash of the code that turned the source's documents into entries. */
  readonly intake: string
  readonly cursor: string | null
}

/** A position in the log of a picture store. */
export interface PictureStoreVersion {
  /** Distinguishes one store from another. */
  readonly identity: string
  /** Counts the changes of the store. */
  readonly sequence: number
}

export interface Snapshot {
  /** Sellers whose changes some view does not show yet. */
  readonly waits: Waits
  /**
   * Replaces the whole content. If `settle` throws, nothing is changed. Without a rule, no removal is held back or
   * released.
   */
  applyWhole(read: WholeRead, settle: Settle, rule?: HoldRule | null): Promise<SnapshotChange>
  /**
   * Returns a check that returns true only if a document's entry was made from the given text without any problem. The
   * check is fast for documents in the order of their ids. It must not be used after a change of the snapshot.
   */
  createUnchangedCheck(): UnchangedCheck
  applyPartial(read: PartialRead, settle: Settle, rule?: HoldRule | null): Promise<SnapshotChange>
  /** Returns the removals that are held back, in order of the sellers. */
  readHeld(): readonly HeldRemoval[]
  /**
   * Returns the documents for which a removal has been held back since the time `released` or earlier. The next read
   * that includes them no longer holds it back.
   */
  findReleased(released: number): readonly DocumentKey[]
  /** Runs `work`, which only reads, in one transaction: many small reads then take half the time. */
  readTogether<T>(work: () => T): T
  /** Starts a log of the documents that reads change. May be called only once. */
  logDifferences(): DifferenceLog
  /**
   * Sets the max number of products of a seller that are shown; see product-limit.ts. Adds the sellers whose shown
   * products change to `waits`.
   */
  limitProducts(most: number): void
  /** Returns `null` if the seller does not exist. */
  readCatalogue(seller: string): Catalogue | null
  /** Returns the catalogue with only this product; `null` if the seller does not have it. */
  readProduct(seller: string, product: string): Catalogue | null
  /** Returns the ids of the seller's products that are shown, ascending; none for an unknown seller. */
  readProductIds(seller: string): readonly string[]
  /** Returns the name that pages show for the seller; `null` if the seller does not exist. */
  readName(seller: string): string | null
  /** Returns the number of products that are shown; 0 for an unknown seller. */
  countProducts(seller: string): number
  hasSeller(seller: string): boolean
  /** Returns the number of the seller's bucket in the sitemap, even if the seller does not exist. */
  findBucket(seller: string): number
  /** Returns the buckets of the sitemap that list at least one seller, ascending. */
  readBuckets(): readonly number[]
  /** Returns the sellers of a bucket that have products, in order of their ids. */
  readBucket(bucket: number): readonly ListedSeller[]
  readSellers(): Iterable<string>
  readTotals(): Totals
  readProblems(): readonly Problem[]
  /**
   * Returns the ids of the seller's products that the most recent read added, changed or removed; `null` if anything
   * else on the seller's pages may have changed since they were last up to date.
   */
  findChangedProducts(seller: string): readonly string[] | null
  /** Returns the position in the source up to which the snapshot has all changes; `null` before the first read. */
  readPosition(): Position | null
  /** Returns the link that ties this snapshot to its record; empty if none was written yet. */
  readLink(): string
  writeLink(link: string): void
  /**
   * Returns the coordinator's sequence number (`upTo` of a claim) up to which all changes are applied; `null` if none
   * is stored.
   */
  readClaimed(): number | null
  writeClaimed(sequence: number): void
  /** Adds the sellers to `waits` and notes the position in the picture store's log, in one transaction. */
  applyPictures(sellers: readonly string[], position: PictureStoreVersion): void
  /**
   * Returns the position that `applyPictures` stored last; `null` before its first call. For each change of the picture
   * store up to this position, the pages already show the change, or their sellers are in `waits`.
   */
  readPictures(): PictureStoreVersion | null
  /** Returns the id of the version that was published last from this state; `null` before the first publish. */
  readPublished(): string | null
  writePublished(version: string): void
  close(): void
}

/** Runs before a change is committed: returns the position in the source, or throws to refuse the change. */
export type Settle = (change: SnapshotChange) => Position | Promise<Position>
