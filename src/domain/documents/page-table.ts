/** The table of page kinds, and functions that derive facts from it. `page.ts` creates the data of pages. */
import type { PageSwitch, PageSwitches } from './page-switches.ts'

interface KindEntry {
  /**
   * `{seller}`, `{product}` and `{bucket}` are placeholders for ids. A page is rendered from its data alone, without
   * this address. Astro renders the kind, unless the address ends in a file extension.
   */
  readonly address: `/${string}`
  /** The name in messages. */
  readonly name: string
  /**
   * Source of the page's data.
   * - `nothing`: none.
   * - `site`: facts of the site.
   * - `sellers`: lists of sellers, of their buckets or of their products; none for the sitemap of the home page.
   * - `name`: a seller's data without products.
   * - `product`: a seller's data with only the page's product.
   * - `catalogue`: a seller's data without previews.
   * - `seller`: all data of a seller.
   */
  readonly from: 'nothing' | 'site' | 'sellers' | 'name' | 'product' | 'catalogue' | 'seller'
  /** True if the sitemap lists pages of the kind, except those of sellers without products. */
  readonly isListed?: boolean
  /** True if no page links to pages of the kind. Commands print their addresses instead. */
  readonly isUnlinked?: boolean
  /** The setting that turns the kind on; absent for a kind that always exists. */
  readonly switch?: PageSwitch
}

/** Path of the page that searches all catalogues. Its parameter `q` is the query. */
export const SEARCH_PATH = '/buscar'

/**
 * The order of the kinds is the order in which pages are listed and written. The catalogue is the last of a seller's
 * pages, so that its links lead to pages that already exist.
 */
const PAGE_KINDS = {
  home: { address: '/', name: 'the home page', from: 'site', isListed: true },
  'not-found': { address: '/404', name: 'the 404 page', from: 'nothing' },
  'unknown-catalogue': { address: '/catalogo/404', name: 'the page of unknown catalogues', from: 'nothing' },
  product: {
    address: '/catalogo/{seller}/{product}',
    name: 'product pages',
    from: 'product',
    switch: 'productPages',
  },
  'unknown-product': {
    address: '/catalogo/{seller}/404',
    name: 'pages of unknown products',
    from: 'name',
    switch: 'productPages',
  },
  feed: {
    address: '/catalogo/{seller}/feed.xml',
    name: 'product feeds',
    from: 'seller',
    isUnlinked: true,
    switch: 'feeds',
  },
  poster: {
    address: '/catalogo/{seller}/cartel',
    name: 'posters',
    from: 'catalogue',
    isUnlinked: true,
    switch: 'posters',
  },
  catalogue: { address: '/catalogo/{seller}', name: 'catalogue pages', from: 'catalogue', isListed: true },
  search: { address: SEARCH_PATH, name: 'the search page', from: 'nothing', switch: 'search' },
  'sitemap-home': { address: '/sitemaps/home.xml', name: 'the sitemap of the site', from: 'sellers' },
  'sitemap-index': { address: '/sitemap.xml', name: 'the index of the sitemap', from: 'sellers' },
  'sitemap-bucket': { address: '/sitemaps/{bucket}.xml', name: 'sitemaps of sellers', from: 'sellers' },
  'search-file': {
    address: `${SEARCH_PATH}/{bucket}.txt`,
    name: 'search files',
    from: 'sellers',
    switch: 'search',
  },
} as const satisfies Readonly<Record<string, KindEntry>>

type Table = typeof PAGE_KINDS
export type AnyKind = keyof Table
type From<K extends AnyKind> = Table[K]['from']
type KindFrom<F> = { [K in AnyKind]: From<K> extends F ? K : never }[AnyKind]

/** The kinds that are XML or plain text. */
export type TextKind = {
  [K in AnyKind]: Table[K]['address'] extends `${string}.${string}` ? K : never
}[AnyKind]
/** The kinds that Astro renders. */
export type PageKind = Exclude<AnyKind, TextKind>
export type SellerPageKind = KindFrom<'name' | 'product' | 'catalogue' | 'seller'>
/** The kinds that belong to no seller and are files, without lists of sellers. */
export type SiteFileKind = KindFrom<'nothing' | 'site'>

/** Identifies a page by its kind and its ids. Plain data. */
export interface PageKey {
  readonly kind: AnyKind
  /** `null` unless the page belongs to a seller. */
  readonly seller: string | null
  /** `null` unless the page belongs to a product. */
  readonly product: string | null
  /** The number of a file of the sitemap or of the search, as two hex digits; absent for all other pages. */
  readonly bucket?: string
}

/** Returns all kinds. This is a function so that bundles for browsers can omit the table if they format no address. */
export function listKinds(): readonly AnyKind[] {
  return Object.keys(PAGE_KINDS) as AnyKind[]
}

export function listPageKinds(): readonly PageKind[] {
  return listKinds().filter((kind) => !isTextKind(kind))
}

export function findEntry(kind: AnyKind): KindEntry {
  return PAGE_KINDS[kind]
}

export function isTextKind(kind: AnyKind): kind is TextKind {
  return findEntry(kind).address.includes('.')
}

export function findScope(kind: AnyKind): 'site' | 'seller' | 'product' {
  const { address } = findEntry(kind)
  if (address.includes('{product}')) return 'product'
  return address.includes('{seller}') ? 'seller' : 'site'
}

/** Returns whether pages of the kind exist with these settings. */
export function isOn(kind: AnyKind, switches: Partial<PageSwitches>): boolean {
  const name = findEntry(kind).switch
  return name === undefined || switches[name] === true
}

export function listSiteKinds(): readonly SiteFileKind[] {
  return listKinds().filter((kind): kind is SiteFileKind =>
    ['nothing', 'site'].includes(findEntry(kind).from),
  )
}

export function listSellerKinds(): readonly SellerPageKind[] {
  return listKinds().filter((kind): kind is SellerPageKind => findScope(kind) !== 'site')
}
