/**
 * Finds the page for an address. Paths are interpreted as Cloudflare's static assets interpret them: decoded, without
 * `.html`, `/index` or a trailing slash.
 */
import { findIdProblem } from '../../domain/documents/page-id.ts'
import type { PageSwitches } from '../../domain/documents/page-switches.ts'
import type { PageKey } from '../../domain/documents/page-table.ts'
import { findEntry, isTextKind, listKinds } from '../../domain/documents/page-table.ts'
import { findPageOfPath, formatPagePath } from '../../domain/documents/page-address.ts'
import { HOME_STORES } from '../../domain/pages/home.ts'
import { formatCataloguePath, hasProductPage } from '../../domain/pages/paths.ts'

export interface PageRoute {
  readonly key: PageKey
  /** 404 if the address has no page of its own. */
  readonly status: 200 | 404
  /** The page's own path, encoded, or `HOME_FOLDER`. */
  readonly address: string
  /** The requested path as the assets encode it. */
  readonly canonical: string
}

const HOME = '/'
/**
 * Like the assets, the Worker redirects `/index/index` and similar paths to this address, and this address to the home
 * page.
 */
const HOME_FOLDER = '/index'
const CARD = /^\/catalogo\/[^/]+\/[^/]+$/
/** Max folders in the address of a page. */
const DEEPEST = Math.max(...listKinds().map((kind) => findEntry(kind).address.split('/').length - 2))

/**
 * Returns the addresses whose cached pages are deleted when this object is put: the catalogue, and the home page if it
 * may link to this seller. The seller's other pages are served from the cache while they are fresh.
 */
export function listAddresses(name: string): readonly string[] {
  return [formatCataloguePath(name), ...(HOME_STORES.includes(name) ? [HOME] : [])]
}

/**
 * Returns `null` for a path that the assets should answer: usually one for which the Worker has no page, not even one
 * for unknown addresses.
 */
export function routePage(pathname: string, switches: PageSwitches): PageRoute | null {
  const path = decodePath(pathname)
  const own = findOwnPath(path)
  const [key, status] = findKey(path, own, switches)
  // Without product pages, the Worker leaves the paths of products to the assets, which redirect them to cards of the
  // catalogue.
  if (key === null || (key.kind === 'catalogue' && !switches.productPages && CARD.test(pathname))) return null
  const address = own === HOME_FOLDER ? own : formatPagePath(key)
  return { key, status, address, canonical: encodePath(path) }
}

function findKey(path: string, own: string, switches: PageSwitches): readonly [PageKey | null, 200 | 404] {
  const text = findPageOfPath(path.slice(1), switches)
  const key =
    text !== null && isTextKind(text.kind)
      ? text
      : findPageOfPath(`${own === '' ? 'index' : own.slice(1)}.html`, switches)
  return key !== null && isServed(key, switches) ? [key, 200] : [findUnknown(own, switches), 404]
}

function isServed({ kind, seller, product }: PageKey, switches: PageSwitches): boolean {
  if (['nothing', 'query'].includes(findEntry(kind).from)) return false
  if (seller !== null && findIdProblem(seller) !== null) return false
  return product === null || hasProductPage(switches, product)
}

/**
 * Finds the page for unknown addresses in the nearest parent folder that has one, as the assets do. Ignores folders
 * deeper than those of pages, because a visitor may send a path of thousands of folders.
 */
function findUnknown(path: string, switches: PageSwitches): PageKey | null {
  const folders = path.split('/').slice(1, -1)
  for (let depth = Math.min(folders.length, DEEPEST); depth > 0; depth -= 1) {
    const key = findPageOfPath(`${folders.slice(0, depth).join('/')}/404.html`, switches)
    if (key !== null && isServed(key, switches)) return key
  }
  return null
}

// Same rule as the option `drop-trailing-slash` of Cloudflare's static assets.
// Source: workers-shared/asset-worker, `htmlHandlingDropTrailingSlash`
function findOwnPath(path: string): string {
  const end = ['/index', '/index.html', '/', '.html'].find((one) => path.endsWith(one))
  return end === undefined ? path : path.slice(0, -end.length)
}

function decodePath(pathname: string): string {
  return pathname.split('/').map(decodeSegment).join('/').replaceAll(/\/+/g, '/')
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
