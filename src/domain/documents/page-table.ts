/**
 * The kinds of pages that Astro renders: what holds for all pages of a kind, and what follows from its address. All
 * else reads this table. Their data is created in page.ts.
 */
interface KindEntry {
  /** `{seller}` and `{product}` stand for ids. A page depends on its data alone, not on its address. */
  readonly address: `/${string}`
  /** In messages. */
  readonly name: string
  /** Whether the sitemap lists it; pages of sellers without products are not. */
  readonly isListed?: boolean
  /** Whether it exists only where products have pages. */
  readonly isOfProducts?: boolean
  /** Whether it shows no data, so that it is a file also where pages are stored as objects. */
  readonly isFixed?: boolean
  /** Whether it answers a question, so that it is never a file. */
  readonly isAnswer?: boolean
}

/** The page that searches all catalogues; its parameter `q` is the query. */
export const SEARCH_PATH = '/buscar'

/** In the order in which pages are listed. The catalogue follows the pages that it leads to. */
export const PAGE_KINDS = {
  home: { address: '/', name: 'the home page', isListed: true },
  'not-found': { address: '/404', name: 'the 404 page', isFixed: true },
  'unknown-catalogue': {
    address: '/catalogo/404',
    name: 'the page of an unknown catalogue',
    isFixed: true,
  },
  product: { address: '/catalogo/{seller}/{product}', name: 'product pages', isOfProducts: true },
  'unknown-product': {
    address: '/catalogo/{seller}/404',
    name: 'pages of unknown products',
    isOfProducts: true,
  },
  catalogue: { address: '/catalogo/{seller}', name: 'catalogue pages', isListed: true },
  search: { address: SEARCH_PATH, name: 'the search page', isAnswer: true },
} as const satisfies Readonly<Record<string, KindEntry>>

type Table = typeof PAGE_KINDS
export type PageKind = keyof Table

/** The owner of the pages of a kind. */
type Scope<K extends PageKind> = Table[K]['address'] extends `${string}{product}${string}`
  ? 'product'
  : Table[K]['address'] extends `${string}{seller}${string}`
    ? 'seller'
    : 'site'
type KindOf<S> = { [K in PageKind]: Scope<K> extends S ? K : never }[PageKind]

/** The kinds of pages that belong to a seller. */
export type SellerPageKind = KindOf<'seller' | 'product'>
type AnswerKind = { [K in PageKind]: Table[K] extends { isAnswer: true } ? K : never }[PageKind]
/** Those that belong to no seller and are files. */
export type SiteFileKind = Exclude<KindOf<'site'>, AnswerKind>

/** Names a page by what it shows. Plain data. */
export interface PageKey {
  readonly kind: PageKind
  /** `null` unless it belongs to a seller. */
  readonly seller: string | null
  /** `null` unless it belongs to a product. */
  readonly product: string | null
}

/** Not a constant, so that code of browsers that formats no address lacks the table. */
export function listKinds(): readonly PageKind[] {
  return Object.keys(PAGE_KINDS) as PageKind[]
}

export function findEntry(kind: PageKind): KindEntry {
  return PAGE_KINDS[kind]
}

export function findScope(kind: PageKind): 'site' | 'seller' | 'product' {
  const { address } = findEntry(kind)
  if (address.includes('{product}')) return 'product'
  return address.includes('{seller}') ? 'seller' : 'site'
}

/** Returns the kinds of pages that are files and belong to no seller. */
export function listSiteKinds(): readonly SiteFileKind[] {
  return listKinds().filter(
    (kind): kind is SiteFileKind => findScope(kind) === 'site' && findEntry(kind).isAnswer !== true,
  )
}

export function listSellerKinds(): readonly SellerPageKind[] {
  return listKinds().filter((kind): kind is SellerPageKind => findScope(kind) !== 'site')
}

/** Returns the path of a request for the kind's route. */
export function formatRoutePath(kind: PageKind): string {
  return fillAddress(kind, 'id', 'id')
}

/** Returns the page's path, encoded for a link. */
export function formatPagePath({ kind, seller, product }: PageKey): string {
  return fillAddress(kind, encodeURIComponent(seller ?? ''), encodeURIComponent(product ?? ''))
}

/** Returns the page's file, relative to the output folder. The ids must have passed `findIdProblem`. */
export function formatPageFile({ kind, seller, product }: PageKey): string {
  const path = fillAddress(kind, seller ?? '', product ?? '').slice(1)
  return `${path === '' ? 'index' : path}.html`
}

/** Returns the folders and files at the top of the output folder that are pages or hold some. */
export function listPlaces(): readonly string[] {
  const files = listFileKinds().map((kind) => formatPageFile({ kind, seller: '', product: '' }))
  return [...new Set(files.map((file) => file.split('/', 1)[0] ?? ''))]
}

function listFileKinds(): readonly PageKind[] {
  return listKinds().filter((kind) => findEntry(kind).isAnswer !== true)
}

/** Returns what the page in a file shows; `null` for a file that is no page. */
export function findPage(file: string): PageKey | null {
  for (const [kind, pattern] of (patterns ??= createPatterns())) {
    const found = pattern.exec(file)
    if (found === null) continue
    const { seller = null, product = null } = found.groups ?? {}
    return { kind, seller, product }
  }
  return null
}

/** Returns the fixed names in addresses at places where another kind has an id. No id may be one of them. */
export function listTakenNames(): readonly string[] {
  const addresses = listKinds().map((kind) => findEntry(kind).address.split('/'))
  return addresses.flatMap((parts) =>
    parts.filter(
      (name, index) => name !== '' && !isId(name) && addresses.some((other) => isIdAt(other, parts, index)),
    ),
  )
}

function isIdAt(other: readonly string[], parts: readonly string[], index: number): boolean {
  return isId(other[index] ?? '') && parts.slice(0, index).every((part, at) => part === other[at])
}

function isId(part: string): boolean {
  return part.startsWith('{')
}

function fillAddress(kind: PageKind, seller: string, product: string): string {
  return findEntry(kind)
    .address.replace('{seller}', () => seller)
    .replace('{product}', () => product)
}

let patterns: readonly (readonly [PageKind, RegExp])[] | undefined

// Those with fewer ids first, as the router does: a name takes precedence over an id.
function createPatterns(): readonly (readonly [PageKind, RegExp])[] {
  const count = (kind: PageKind): number => findEntry(kind).address.split('{').length
  return listFileKinds()
    .toSorted((a, b) => count(a) - count(b))
    .map((kind) => {
      const file = formatPageFile({ kind, seller: '{seller}', product: '{product}' })
      return [kind, new RegExp(`^${file.replace('.', '\\.').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)]
    })
}
