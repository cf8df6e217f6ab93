/** What a rebuild needs of a place that holds documents. It knows nothing of pages. */
import type { Collection, Problem, SourceDocument } from '../../domain/documents/document.ts'

/** A document, or something unreadable that stands where one should be. */
export type SourceItem =
  | { readonly kind: 'document'; readonly document: SourceDocument }
  | { readonly kind: 'unreadable'; readonly problem: Problem }

/** What was asked for by its name: `missing` when it is not there and the source counts that as a read. */
export type LookedUp = SourceItem | { readonly kind: 'missing'; readonly key: DocumentKey }

export interface DocumentKey {
  readonly collection: Collection
  readonly id: string
}

/** What changed after a cursor, or `whole` when only a comparison of everything can tell. */
export type SourceChanges =
  | { readonly kind: 'whole'; readonly reason: string }
  | {
      readonly kind: 'sellers'
      readonly sellers: readonly string[]
      readonly documents: readonly DocumentKey[]
    }

/**
 * Every method reads one consistent state where the source can give one, and throws a `SourceError` when it cannot
 * be read. Memory stays bounded: items are streamed.
 */
export interface Source {
  /** For people: `the database vitrina.sqlite`. */
  readonly label: string
  /** True when reading one seller costs as much as reading everything. */
  readonly readsWhole: boolean
  /** A source that cannot look back may hand a document on twice: the newest counts. */
  readAll(): AsyncIterable<SourceItem>
  /** The profile and the products of each seller named. */
  readSellers(sellers: readonly string[]): AsyncIterable<LookedUp>
  /** The documents that exist among those named. */
  readDocuments(keys: readonly DocumentKey[]): AsyncIterable<LookedUp>
  /** `cursor` is text of the source's own making from an earlier `readCursor`, `null` when there is none. */
  readChanges(cursor: string | null): SourceChanges
  /** Where the source stands now; `null` when it cannot tell. */
  readCursor(): string | null
  close(): void
}

/** What follows a source, and is notified of its changes. */
export interface Watcher {
  /** Ids of the sellers whose documents changed, or `null` if the source has to be read to find them. */
  readonly onChange: (sellers: readonly string[] | null) => void
  /** The source cannot be read for now, or can be read again. Following continues. */
  readonly onTrouble: (message: string) => void
  /** Aborting it ends the following. */
  readonly signal: AbortSignal
}

/** The source could not be read: nothing may change. The message says why and what to do. */
export class SourceError extends Error {
  override readonly name = 'SourceError'
}
