/** The snapshot: what the source held when it was last read, in SQLite. It knows nothing of pages. */
import type { Catalogue } from '../../../domain/catalogue/catalogue.ts'
import type { Problem } from '../../../domain/documents/document.ts'
import type { ListedSeller } from '../../../domain/pages/sitemap.ts'
import type { DocumentKey, LookedUp, SourceItem } from '../../sources/source.ts'

export interface Totals {
  readonly sellers: number
  readonly profiles: number
  readonly products: number
}

/** A read of some sellers: only they, and the documents named, may change. */
export interface PartialRead {
  readonly sellers: readonly string[]
  readonly documents: readonly DocumentKey[]
  readonly items: AsyncIterable<LookedUp>
  /** Looks for documents that have left the sellers named: they moved or are gone. */
  readonly lookUp: (documents: readonly DocumentKey[]) => AsyncIterable<LookedUp>
}

/** What a change took away; `gone` counts entries that are no longer there, wherever they stood. */
export interface Change {
  readonly before: Totals
  readonly gone: Totals
  readonly after: Totals
  /** Documents read from the source. */
  readonly reads: number
}

export interface Position {
  readonly source: string
  /** Hash of the code that turned its documents into entries. */
  readonly intake: string
  readonly cursor: string | null
}

/** Tells one snapshot from another: `sequence` counts the reads that it took in. */
export interface SnapshotVersion {
  readonly identity: string
  readonly sequence: number
}

export interface Snapshot {
  /** Replaces everything. `accept` may throw: then nothing has changed. */
  applyWhole(items: AsyncIterable<SourceItem>, settle: Settle): Promise<Change>
  applyPartial(read: PartialRead, settle: Settle): Promise<Change>
  /** `null` when the seller does not exist. */
  readCatalogue(seller: string): Catalogue | null
  hasSeller(seller: string): boolean
  /** The number of the bucket that lists a seller, which need not exist. */
  findBucket(seller: string): number
  /** Numbers of the buckets of the sitemap that list at least one seller, ascending. */
  readBuckets(): readonly number[]
  /** Sellers with products whose bucket this is, in order of their ids. */
  readBucket(bucket: number): readonly ListedSeller[]
  readSellers(): Iterable<string>
  readTotals(): Totals
  readProblems(): readonly Problem[]
  /** Sellers whose entries changed since they were last settled, in order. */
  readChanged(): readonly string[]
  forgetChanged(sellers: readonly string[]): void
  /** They are to be looked at again by the next run. */
  markChanged(sellers: readonly string[]): void
  /** Where the source stood, `null` before the first read. */
  readPosition(): Position | null
  readVersion(): SnapshotVersion
  /** Ties this snapshot to the record that has followed it; empty before the first time. */
  readLink(): string
  writeLink(link: string): void
  /** The coordinator's sequence up to which every change is taken in (a claim's `upTo`), `null` without one. */
  readClaimed(): number | null
  writeClaimed(sequence: number): void
  close(): void
}

/** Runs before a change is kept: says where the source stands, or throws to refuse the change. */
export type Settle = (change: Change) => Position
