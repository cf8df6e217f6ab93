/** Finds what an address shows. Paths are read as the assets read them: decoded, without `.html`, `/index` or a last slash. */
import { findIdProblem } from '../../domain/documents/page-id.ts'
import type { ObjectName } from '../../domain/objects/object-data.ts'
import { HOME_STORES } from '../../domain/pages/home.ts'
import { formatCataloguePath, formatProductPath } from '../../domain/pages/paths.ts'
import type { Site } from '../../domain/pages/site.ts'

export type PageRoute = Addresses & (ObjectRoute | { readonly view: 'home' })

interface Addresses {
  /** The page's own path, encoded. */
  readonly address: string
  /** The requested path as the assets encode it. */
  readonly canonical: string
}

export interface ObjectRoute {
  /** The object to read. */
  readonly name: ObjectName
  readonly view: ObjectView
}

/** `unknown-product`: what the seller's address shows for products that she does not have. */
export type ObjectView =
  | { readonly page: 'main' }
  | { readonly page: 'product'; readonly id: string }
  | { readonly page: 'unknown-product'; readonly status: 200 | 404 }

const HOME = '/'
const HOME_PATHS = new Set(['/', '/index', '/index.html'])
/** The assets lead these to `/index`, and that to `/`. */
const HOME_FOLDER = new Set(['/index/', '/index/index', '/index/index.html'])
const FOLDER = 'catalogo'
// The address of the file that stands for unknown products.
const UNKNOWN = '404'

/** The address of the page that is stored with an object's data, and others that show whether there is one. */
export function listAddresses(name: ObjectName): readonly string[] {
  return [formatCataloguePath(name), ...(HOME_STORES.includes(name) ? [HOME] : [])]
}

/** Returns `null` if no object can have the page: the path is another one, or holds an id that cannot have a page. */
export function routePage(pathname: string, { productPages }: Pick<Site, 'productPages'>): PageRoute | null {
  const path = decodePath(pathname)
  const canonical = encodePath(path)
  if (HOME_PATHS.has(path)) return { view: 'home', address: HOME, canonical }
  if (HOME_FOLDER.has(path)) return { view: 'home', address: '/index', canonical }
  const [empty, folder, seller, product, ...more] = findOwnPath(path).split('/')
  if (empty !== '' || folder !== FOLDER || seller === undefined || findIdProblem(seller) !== null) return null
  if (product === undefined) return isCard(pathname, productPages) ? null : createMainRoute(seller, canonical)
  if (!productPages) return null
  return { name: seller, ...viewProduct(seller, product, more.length > 0), canonical }
}

function createMainRoute(name: ObjectName, canonical: string): PageRoute {
  return { name, view: { page: 'main' }, address: formatCataloguePath(name), canonical }
}

function viewProduct(seller: string, id: string, isDeeper: boolean): Pick<PageRoute, 'view' | 'address'> {
  if (!isDeeper && findIdProblem(id) === null)
    return { view: { page: 'product', id }, address: formatProductPath(seller, id) }
  const status = !isDeeper && id === UNKNOWN ? 200 : 404
  return { view: { page: 'unknown-product', status }, address: formatProductPath(seller, UNKNOWN) }
}

// Without product pages a rule of the assets leads these paths to cards, before anything else.
function isCard(pathname: string, productPages: boolean): boolean {
  return !productPages && /^\/catalogo\/[^/]+\/[^/]+$/.test(pathname)
}

// As `drop-trailing-slash` does. Source: workers-shared/asset-worker, `htmlHandlingDropTrailingSlash`
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
