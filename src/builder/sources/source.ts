/** The interface of a source of documents. */
import type { Collection, Problem, SourceDocument } from '../../domain/documents/document.ts'

/**
 * A document, or a line or row that is not a valid document. `key` is `null` if the line or row does not identify a
 * document.
 */
export type SourceItem =
  | { readonly kind: 'document'; readonly document: SourceDocument }
  | { readonly kind: 'unreadable'; readonly key: DocumentKey | null; readonly problem: Problem }

export interface DocumentKey {
  readonly collection: Collection
  readonly id: string
}

/** One consistent read of a source, as far as the source supports that. */
export interface SourceRead {
  /** The sellers whose documents the read has, all of each; `null` if it has all documents of the source. */
  readonly sellers: readonly string[] | null
  /**
   * Position of the read in the source's log of changes, for `readChanges`; `null` if the source has no log, or if the
   * read may lack changes before the position. Its format is private to the source.
   */
  readonly cursor: string | null
  /**
   * The items, streamed. If a document occurs more than once, the last occurrence counts, even if it is unreadable. A
   * source that reads at once returns an `Iterable`, which needs no promise per item.
   */
  readonly items: Iterable<SourceItem> | AsyncIterable<SourceItem>
}

/**
 * A source of documents. Its methods may wait, because some sources read over the network, and throw a `SourceError` if
 * the source cannot be read; so does the iteration of items. A source is opened for one run, and all its reads see the
 * state of its first read if the source supports that.
 */
export interface Source {
  /** Name for messages, such as `the database vitrina.sqlite`. It also identifies the source. */
  readonly label: string
  readAll(): MayWait<SourceRead>
  /** Reads these sellers. */
  readSellers(sellers: readonly string[]): MayWait<SourceRead>
  /**
   * Reads the sellers who changed after `cursor`, and those in `named`. Returns `null` if the source cannot tell who
   * changed: it has no log, or the log lacks the row of the cursor.
   */
  readChanges(cursor: string, named: readonly string[]): MayWait<SourceRead | null>
  close(): MayWait<void>
}

type MayWait<T> = T | Promise<T>

export interface Watcher {
  /** Called soon after a change is visible. */
  readonly onChange: () => void
  /** Called if the source cannot be read at the moment. The watch continues. */
  readonly onTrouble: (message: string) => void
  /** Aborting this signal ends the watch. */
  readonly signal: AbortSignal
}

/** The source could not be read or written, so nothing was changed. The message says why and what to do. */
export class SourceError extends Error {
  override readonly name = 'SourceError'
}
