/** Reads a seller's documents from the source. */
import type { SourceDocument } from '../../domain/documents/document.ts'

export interface SellerSource {
  /**
   * Reads the seller's documents at one point in time. Rejects with a `SourceTrouble` if the source cannot be read.
   * `known`: ids of products that the seller had. Products that exist, but no longer belong to the seller, are returned
   * as `elsewhere`.
   */
  readSeller(seller: string, known: readonly string[]): Promise<SellerRead>
}

export type SellerRead =
  | {
      readonly kind: 'read'
      /** The profile, if there is one, and the products. */
      readonly documents: readonly SourceDocument[]
      /** Known products that still exist, but no longer belong to this seller. */
      readonly elsewhere: readonly SourceDocument[]
    }
  | { readonly kind: 'large'; readonly reason: string }

/**
 * - `denied`: a setting is missing, or the key is invalid or lacks rights (401, 403).
 * - `missing`: the project or the database does not exist (400, 404).
 * - `busy`: a quota is exhausted (429).
 * - `unavailable`: the source fails, or does not answer in time.
 */
export type TroubleKind = 'denied' | 'missing' | 'busy' | 'unavailable'

/** Thrown when the source cannot be read. The message says why and what to do, and contains no secret. */
export class SourceTrouble extends Error {
  override readonly name = 'SourceTrouble'
  readonly kind: TroubleKind
  /** The pause that the source requested, in milliseconds; 0 for none. */
  readonly retryAfter: number

  constructor(kind: TroubleKind, message: string, retryAfter = 0) {
    super(message)
    this.kind = kind
    this.retryAfter = retryAfter
  }
}
