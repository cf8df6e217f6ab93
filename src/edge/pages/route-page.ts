/** Finds what an address shows. Paths are read as the assets read them: decoded, without `.html`, `/index` or a last slash. */
import { findIdProblem } from '../../domain/documents/page-id.ts'
import type { ObjectName } from '../../domain/objects/object-data.ts'
import { HOME_OBJECT } from '../../domain/objects/object-data.ts'
import { formatCataloguePath, formatProductPath } from '../../domain/pages/paths.ts'
import type { Site } from '../../domain/pages/site.ts'

export type PageRoute = {
  /** The object to read. */
  readonly name: ObjectName
  readonly view: ObjectView
  /** The page's own path, encoded. */
  readonly address: string
  /** Whether the path is another one, which leads to the page's own if there is a page. */
  readonly isOther: boolean
}

/** `unknown-product`: what the seller's address shows for products that she does not have. */
export type ObjectView =
  | { readonly page: 'main' }
  | { readonly page: 'product'; readonly id: string }
  | { readonly page: 'unknown-product'; readonly status: 200 | 404 }

const HOME_PATHS = new Set(['/', '/index', '/index.html'])
const FOLDER = 'catalogo'
// The address of the file that stands for unknown products.
const UNKNOWN = '404'

/** Returns `null` if no object can have the page: the path is another one, or holds an id that cannot have a page. */
export function routePage(pathname: string, { productPages }: Pick<Site, 'productPages'>): PageRoute | null {
  const path = decodePath(pathname)
  if (HOME_PATHS.has(path)) return createRoute(HOME_OBJECT, { page: 'main' }, '/', pathname)
  const own = findOwnPath(path)
  const [empty, folder, seller, product, ...more] = own.split('/')
  if (empty !== '' || folder !== FOLDER || seller === undefined || findIdProblem(seller) !== null) return null
  if (product === undefined)
    return isCard(pathname, productPages)
      ? null
      : createRoute(seller, { page: 'main' }, formatCataloguePath(seller), pathname)
  if (!productPages) return null
  if (more.length > 0 || (product !== UNKNOWN && findIdProblem(product) !== null))
    return { ...createUnknown(seller, pathname, 404), isOther: false }
  if (product === UNKNOWN) return createUnknown(seller, pathname, 200)
  return createRoute(seller, { page: 'product', id: product }, formatProductPath(seller, product), pathname)
}

function createUnknown(seller: string, pathname: string, status: 200 | 404): PageRoute {
  const address = formatProductPath(seller, UNKNOWN)
  return createRoute(seller, { page: 'unknown-product', status }, address, pathname)
}

function createRoute(name: ObjectName, view: ObjectView, address: string, pathname: string): PageRoute {
  return { name, view, address, isOther: address !== pathname }
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

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
