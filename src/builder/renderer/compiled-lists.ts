/** The JSON files that a compile writes next to `server/` and `client/`. */
import type { PageKind } from '../../domain/documents/page-table.ts'

/** Name of the file with `InlineHashes`. */
export const INLINE_LIST = 'inline.json'
/** Name of the file with `PageKindHashes`. */
export const KIND_LIST = 'kinds.json'

/** Hashes of all inline styles and of all inline scripts that run, in the format of a content security policy. */
export interface InlineHashes {
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
}

/** Fingerprint of the compiled code of each kind of page: SHA-256 in hex. */
export type PageKindHashes = Readonly<Record<PageKind, string>>
