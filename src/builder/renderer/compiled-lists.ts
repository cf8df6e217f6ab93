/** What a compile leaves beside `server/` and `client/`, as JSON, for whoever keeps it. */
import type { PageKind } from '../../domain/pages/page.ts'

/** `InlineHashes`. */
export const INLINE_LIST = 'inline.json'
/** `PageKindHashes`. */
export const KIND_LIST = 'kinds.json'

/** Of all scripts and styles that pages hold inline, each as a content security policy writes it. */
export interface InlineHashes {
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
}

/** SHA-256 in hex of what each kind of page is compiled from. */
export type PageKindHashes = Readonly<Record<PageKind, string>>
