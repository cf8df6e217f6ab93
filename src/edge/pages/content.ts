/**
 * The content of an address, independent of the request's method and conditional headers: a body with its headers, a
 * redirect, or none.
 */
import { findMediaType } from '../../domain/documents/page-table.ts'
import type { Page } from '../../domain/pages/page.ts'

export type Content =
  | ContentBody
  /** The store has no such page or file: the assets answer, usually with their page for unknown addresses. */
  | { readonly kind: 'none' }
  /** A temporary redirect: the page is shown at another address for now. */
  | { readonly kind: 'elsewhere'; readonly to: string }

export interface ContentBody {
  readonly kind: 'body'
  readonly status: 200 | 404
  readonly body: Uint8Array
  /** The value of `Content-Type`. */
  readonly type: string
  /** Without quotes. */
  readonly etag: string
  /** The value of `Content-Security-Policy`. */
  readonly policy: string
  /** The value of `Cache-Control`, for browsers. */
  readonly cacheControl: string
}

/** `Cache-Control` of pages: the default of the assets. */
const REVALIDATE = 'public, max-age=0, must-revalidate'

export function createPageContent(
  kind: Page['kind'],
  page: Pick<ContentBody, 'body' | 'etag' | 'policy' | 'status'>,
): Content {
  return { kind: 'body', type: findMediaType(kind), cacheControl: REVALIDATE, ...page }
}

/** Returns the response to a GET or HEAD request. `headers` are added to every response. */
export function answerBody(
  request: Request,
  { status, body, type, etag, policy, cacheControl }: ContentBody,
  headers: readonly (readonly [name: string, value: string])[],
): Response {
  const all = new Headers([
    ...headers.map(([name, value]): [string, string] => [name, value]),
    ['Content-Security-Policy', policy],
    ['Content-Type', type],
    ['Cache-Control', cacheControl],
    ['ETag', `"${etag}"`],
  ])
  if (isKnown(request.headers.get('if-none-match'), etag))
    return new Response(null, { status: 304, headers: all })
  // Copies the bytes only for the type checker: the type `Uint8Array` permits shared memory, which a body must not use.
  return new Response(request.method === 'HEAD' ? null : new Uint8Array(body), { status, headers: all })
}

function isKnown(condition: string | null, etag: string): boolean {
  const tags = (condition ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(`"${etag}"`)
}
