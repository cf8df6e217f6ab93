/**
 * The metadata of an object, which a list of the store returns without the object's bytes. An object's tag covers its
 * bytes only.
 */
import type { SeenObject } from './object-store.ts'

export interface ObjectNotes {
  readonly version: number
  /** Digest of the data; `null` for a tombstone. */
  readonly digest: string | null
  readonly intake: string | null
  /** Number of bytes before the HTML in the object; 0 for a tombstone, or when unknown. */
  readonly start: number
  readonly products: number
  readonly hasProfile: boolean
  /** Newest update of the seller's documents, RFC 3339 in UTC; empty for a tombstone, or when unknown. */
  readonly updated: string
}

export const GONE: Omit<ObjectNotes, 'version'> = {
  digest: null,
  intake: null,
  start: 0,
  products: 0,
  hasProfile: false,
  updated: '',
}

export function formatNotes(notes: ObjectNotes): SeenObject['notes'] {
  const { version, digest, intake, start, products, hasProfile, updated } = notes
  return {
    version: String(version),
    digest: digest ?? '',
    intake: intake ?? '',
    start: String(start),
    products: String(products),
    profile: hasProfile ? '1' : '',
    updated,
  }
}

/**
 * Returns the version for a put that replaces the object `seen`; `seen` is `null` if no object was there. Versions only
 * grow, even if an object was deleted by hand and put again: the first version is the time in milliseconds, and each
 * put adds one. R2 allows only one put of a key a second, so a version never exceeds the current time.
 */
export function findNextVersion(seen: Pick<SeenObject, 'notes'> | null, now: number): number {
  return seen === null ? now : parseNotes(seen).version + 1
}

/** Missing notes are read as those of a tombstone with version 0. */
export function parseNotes({ notes }: Pick<SeenObject, 'notes'>): ObjectNotes {
  return {
    version: Number(notes['version'] ?? 0),
    digest: notes['digest'] || null,
    intake: notes['intake'] || null,
    start: Number(notes['start'] ?? 0),
    products: Number(notes['products'] ?? 0),
    hasProfile: notes['profile'] === '1',
    updated: notes['updated'] ?? '',
  }
}
