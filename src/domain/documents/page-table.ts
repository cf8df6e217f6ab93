/**
 * The kinds of pages: the facts that hold for all pages of a kind, and those that follow from its address. All other
 * code reads this table. page.ts creates the data of pages.
 */
import type { PageSwitch, PageSwitches } from './page-switches.ts'

interface KindEntry {
  /**
   * `{seller}`, `{product}` and `{bucket}` stand for ids. A page depends on its data alone, not on its address. Astro
   * renders the kind unless the address ends like a file of text.
   */
  readonly address: `/${string}`
  /** The name in messages. */
  readonly name: string
  /**
   * Source of its data.
   * - `nothing`: it shows no data, so that it is a file also where pages are stored as objects.
   * - `site`: facts of the site.
   * - `sellers`: the list of sellers, or of their buckets.
   * - `name`, `product`, `catalogue`, `seller`: the data of a seller, in this order: without products, with the page's
   *   product alone, without previews, or whole.
   * - `query`, `state`: the question of a visitor, or the state of the coordinator. It is never a file.
   */
  readonly from:
    | 'nothing'
    | 'site'
    | 'sellers'
    | 'name'
    | 'product'
    | 'catalogue'
    | 'seller'
    | 'query'
    | 'state'
  /** Whether the sitemap lists it; pages of sellers without products are not. */
  readonly isListed?: boolean
  /** Whether no page links it: commands print its address. */
  readonly isUnlinked?: boolean
  /** The setting without which it does not exist. */
  readonly switch?: PageSwitch
}

/** The page that searches all catalogues; its parameter `q` is the query. */
export const SEARCH_PATH = '/buscar'

/** In the order in which pages are listed. The catalogue follows the pages that it leads to. */
export const PAGE_KINDS = {
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
  search: { address: SEARCH_PATH, name: 'the search page', from: 'query', switch: 'search' },
  'sitemap-home': { address: '/sitemaps/home.xml', name: 'the sitemap of the site', from: 'sellers' },
  'sitemap-index': { address: '/sitemap.xml', name: 'the index of the sitemap', from: 'sellers' },
  'sitemap-bucket': { address: '/sitemaps/{bucket}.xml', name: 'sitemaps of sellers', from: 'sellers' },
  state: { address: '/estado.json', name: 'the state of the site', from: 'state' },
} as const satisfies Readonly<Record<string, KindEntry>>

type Table = typeof PAGE_KINDS
/** All of them. */
export type AnyKind = keyof Table
type From<K extends AnyKind> = Table[K]['from']
type KindFrom<F> = { [K in AnyKind]: From<K> extends F ? K : never }[AnyKind]

/** The kinds that are text. */
export type TextKind = {
  [K in AnyKind]: Table[K]['address'] extends `${string}.${string}` ? K : never
}[AnyKind]
/** The kinds that Astro renders. */
export type PageKind = Exclude<AnyKind, TextKind>
/** The kinds of pages that belong to a seller. */
export type SellerPageKind = KindFrom<'name' | 'product' | 'catalogue' | 'seller'>
/** The kinds that belong to no seller and are files. */
export type SiteFileKind = KindFrom<'nothing' | 'site'>
/** The parts of the sitemap. */
export type SitemapKind = KindFrom<'sellers'>

/** Names a page by what it shows. Plain data. */
export interface PageKey {
  readonly kind: AnyKind
  /** `null` unless it belongs to a seller. */
  readonly seller: string | null
  /** `null` unless it belongs to a product. */
  readonly product: string | null
  /** Only of a part of the sitemap: two digits, in hex. */
  readonly bucket?: string
}

/** Names a page of a seller. Plain data. */
export interface SellerPageKey extends PageKey {
  readonly kind: SellerPageKind
  readonly seller: string
}

export function isOfSeller<Key extends Pick<PageKey, 'seller'>>(key: Key): key is Key & SellerPageKey {
  return key.seller !== null
}

/** Is a function, so that browser code that formats no address does not contain the table. */
export function listKinds(): readonly AnyKind[] {
  return Object.keys(PAGE_KINDS) as AnyKind[]
}

/** Returns the kinds that Astro renders. */
export function listPageKinds(): readonly PageKind[] {
  return listKinds().filter((kind) => !isTextKind(kind))
}

export function findEntry(kind: AnyKind): KindEntry {
  return PAGE_KINDS[kind]
}

export function isTextKind(kind: AnyKind): kind is TextKind {
  return findEntry(kind).address.includes('.')
}

export function isSitemapKind(kind: AnyKind): kind is SitemapKind {
  return findEntry(kind).from === 'sellers'
}

type Ending = Table[TextKind]['address'] extends `${string}.${infer End}` ? End : never

const MEDIA_TYPES: Readonly<Record<Ending, string>> = { xml: 'application/xml', json: 'application/json' }

/** Returns the content type of its pages, as the assets type their files. */
export function findMediaType(kind: AnyKind): string {
  const { address } = findEntry(kind)
  const found = Object.entries(MEDIA_TYPES).find(([ending]) => address.endsWith(`.${ending}`))
  return found?.[1] ?? 'text/html; charset=utf-8'
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

/** Returns whether pages of the kind show all products of a seller. */
export function isOfCatalogue(kind: AnyKind): boolean {
  return ['catalogue', 'seller'].includes(findEntry(kind).from)
}

/** Returns whether pages of the kind are files, at least where sellers have files. */
export function isFileKind(kind: AnyKind): boolean {
  return !['query', 'state'].includes(findEntry(kind).from)
}

/** Returns the kinds of pages that are files and belong to no seller, without those of the sitemap. */
export function listSiteKinds(): readonly SiteFileKind[] {
  return listKinds().filter(isSiteKind)
}

export function isSiteKind(kind: AnyKind): kind is SiteFileKind {
  return ['nothing', 'site'].includes(findEntry(kind).from)
}

export function listSellerKinds(): readonly SellerPageKind[] {
  return listKinds().filter((kind): kind is SellerPageKind => findScope(kind) !== 'site')
}
