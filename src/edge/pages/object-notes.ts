/** The metadata of a stored object, which a listing returns without the bytes. It repeats parts of the bytes, because the tag covers bytes only. */
import type { SeenObject } from './object-store.ts'

export interface ObjectNotes {
  readonly version: number
  /** Digest of the data; `null` for a tombstone. */
  readonly digest: string | null
  readonly intake: string | null
  readonly code: string | null
  readonly products: number
  readonly hasProfile: boolean
  /** Newest update of the seller's documents, RFC 3339 in UTC; empty when unknown. */
  readonly updated: string
}

export const GONE: Omit<ObjectNotes, 'version'> = {
  digest: null,
  intake: null,
  code: null,
  products: 0,
  hasProfile: false,
  updated: '',
}

export function formatNotes(notes: ObjectNotes): SeenObject['notes'] {
  const { version, digest, intake, code, products, hasProfile, updated } = notes
  return {
    version: String(version),
    digest: digest ?? '',
    intake: intake ?? '',
    code: code ?? '',
    products: String(products),
    profile: hasProfile ? '1' : '',
    updated,
  }
}

/** Notes that are missing count as those of a tombstone of version 0. */
export function parseNotes({ notes }: Pick<SeenObject, 'notes'>): ObjectNotes {
  return {
    version: Number(notes['version'] ?? 0),
    digest: notes['digest'] || null,
    intake: notes['intake'] || null,
    code: notes['code'] || null,
    products: Number(notes['products'] ?? 0),
    hasProfile: notes['profile'] === '1',
    updated: notes['updated'] ?? '',
  }
}
