/** The interface of a source of documents. */
import type { Collection, Problem, SourceDocument } from '../../domain/documents/document.ts'

/**
 * A document, or a line or row that is not a valid document. `key` is `null` if the line or row does not identify a
 * document.
 */
export type SourceItem =
  | {
      readonly kind: 'document'
      readonly document: SourceDocument
      /**
       * Text with everything that is read from the document: the same text means the same document. May be missing, for
       * example in sources that do not store text.
       */
      readonly text?: string
    }
  | { readonly kind: 'unreadable'; readonly key: DocumentKey | null; readonly problem: Problem }

/**
 * The result of a lookup by key. `missing`: the document does not exist. Such a result also counts as a read document.
 */
export type LookedUp = SourceItem | { readonly kind: 'missing'; readonly key: DocumentKey }

/** A number of successive documents whose text has not changed since an earlier read. They were not parsed. */
export interface UnchangedItem {
  readonly kind: 'unchanged'
  readonly count: number
}

/** Returns true only if an earlier read returned the same text for this document. */
export type UnchangedCheck = (key: DocumentKey, text: string) => boolean

export interface DocumentKey {
  readonly collection: Collection
  readonly id: string
}

/** Changes after a cursor, or `whole` if all documents must be read and compared with the snapshot. */
export type SourceChanges =
  | { readonly kind: 'whole'; readonly reason: string }
  | {
      readonly kind: 'sellers'
      readonly sellers: readonly string[]
      readonly documents: readonly DocumentKey[]
      /** True if `documents` lists every change. Otherwise all documents of `sellers` have to be read. */
      readonly isExact: boolean
    }

/** A synchronous source returns an `Iterable`, so that it needs no promise per item. */
export type Items<T> = AsyncIterable<T> | Iterable<T>

/**
 * Most methods may be asynchronous, because some sources read over the network. The methods read one consistent state
 * if the source supports that, and throw a `SourceError` if the source cannot be read. Items are streamed, so memory is
 * bounded.
 */
export interface Source {
  /**
   * Name for messages, such as `the database vitrina.sqlite`. The snapshot also stores it to detect a change of source.
   */
  readonly label: string
  /** May return a document more than once: the last version counts, even if it is unreadable. */
  readAll(): Items<SourceItem>
  /**
   * Like `readAll`, but does not parse documents with a text that `isUnchanged` recognizes. Missing in sources that do
   * not store text.
   */
  readonly readModified?: (isUnchanged: UnchangedCheck) => Items<SourceItem | UnchangedItem>
  /**
   * Divides a large full read in two halves, which two threads can read. Missing, or returns `null`, if the source
   * cannot be divided or is read faster by one thread.
   */
  readonly divide?: () => MayWait<Halves | null>
  /**
   * Returns the profile and the products of each seller. If a source has several versions of such a document, also
   * returns the later versions, even those with another owner, because the last version counts.
   */
  readSellers(sellers: readonly string[]): Items<LookedUp>
  /** Returns the documents with these keys. Leaves out those that do not exist, or returns them as `missing`. */
  readDocuments(keys: readonly DocumentKey[]): Items<LookedUp>
  /**
   * `cursor` is the result of an earlier `readCursor`; `null` if there is none. Its format is private to the source.
   */
  readChanges(cursor: string | null): MayWait<SourceChanges>
  /** Returns the present position in the change log; `null` for a source without a usable change log. */
  readCursor(): MayWait<string | null>
  /**
   * Throws a `ReadAgainError` if the source detects that the reads since it was opened did not see one state. The
   * caller discards their results and reads again. The next `confirm` checks only the new reads.
   */
  confirm(): MayWait<void>
  close(): MayWait<void>
}

/** A source whose methods do not return promises. The items that it yields may still be asynchronous. */
export interface ReadySource extends Source {
  readonly divide?: () => Halves | null
  readChanges(cursor: string | null): SourceChanges
  readCursor(): string | null
  confirm(): void
  close(): void
}

type MayWait<T> = T | Promise<T>

/**
 * Two halves of a full read. The source's `confirm` also checks the far half, if that half is opened after `divide` and
 * read completely before `confirm`.
 */
export interface Halves {
  readonly near: Required<Pick<Source, 'readAll' | 'readModified'>>
  readonly far: FarHalf
}

/**
 * The products of an embedded database with ids from `first` on. Plain data, which can be sent to the thread that reads
 * this half.
 */
export interface FarHalf {
  readonly path: string
  readonly first: string
}

export interface Watcher {
  /** Ids of the sellers whose documents changed, or `null` if the source has to be read to find them. */
  readonly onChange: (sellers: readonly string[] | null) => void
  /**
   * Called if the source cannot be read at the moment, or if a changed document belongs to no seller. The watch
   * continues.
   */
  readonly onTrouble: (message: string) => void
  /** Aborting this signal ends the watch. */
  readonly signal: AbortSignal
}

/** The source could not be read or written, so nothing was changed. The message says why and what to do. */
export class SourceError extends Error {
  override readonly name = 'SourceError'
}

/** The source changed during a read. The results of the read must not be used; another read gets the current state. */
export class ReadAgainError extends SourceError {
  constructor(path: string) {
    super(`${path} was changed while it was read: run the command again`)
  }
}
