/** The pages of one seller: her catalogue and, if products have pages, one of each product and one for products that are gone. */
import type { Catalogue } from '../../domain/catalogue/catalogue.ts'
import { findSellerPictures } from '../../domain/objects/find-pictures.ts'
import { createProductPage } from '../../domain/objects/object-data.ts'
import type { PageKind } from '../../domain/pages/page.ts'
import {
  formatCatalogueFile,
  formatProductFile,
  formatUnknownProductFile,
  hasProductPage,
} from '../../domain/pages/paths.ts'
import { dropLostPhotos } from '../../domain/photos/lost-photos.ts'
import type { PageData } from './page-data.ts'
import { createPageData } from './page-data.ts'
import type { PageDataSource, PageSource } from './page-sources.ts'
import type { Lane } from './lane.ts'

/** Identifies one of them. Plain data. */
export interface SellerPageKey {
  readonly kind: SellerPageKind
  readonly seller: string
  /** `null` unless it is a product's page. */
  readonly product: string | null
}

type SellerPageKind = Extract<PageKind, 'catalogue' | 'product' | 'unknown-product'>

/**
 * Lists the pages that a seller should have, and those that only `recorded` names, which should not exist. The
 * catalogue is the last, so that its links lead to pages that are already there.
 */
export function listSellerPages(
  data: PageDataSource,
  { seller, recorded, productPages, lane }: SellerOptions,
): readonly PageSource[] {
  if (lane === 'objects') return recorded.map((path) => createGonePage(seller, path))
  const products = productPages ? data.snapshot.readProductIds(seller) : []
  const wanted = [
    ...products
      .filter((product) => hasProductPage({ productPages }, product))
      .map((product) => createSellerPage(data, { kind: 'product', seller, product })),
    ...(productPages ? [createSellerPage(data, { kind: 'unknown-product', seller, product: null })] : []),
    createSellerPage(data, { kind: 'catalogue', seller, product: null }),
  ]
  const paths = new Set(wanted.map(({ path }) => path))
  const left = recorded.filter((path) => !paths.has(path))
  return [...left.map((path) => createGonePage(seller, path)), ...wanted]
}

/** Lists the pages that depend on these products of a seller: their own, and the catalogue. */
export function listChangedPages(
  data: PageDataSource,
  { seller, productPages, changed }: ChangedOptions,
): readonly PageSource[] {
  const products = changed.filter((product) => hasProductPage({ productPages }, product))
  return [
    ...products.map((product) =>
      data.snapshot.readProduct(seller, product) === null
        ? createGonePage(seller, formatProductFile(seller, product))
        : createSellerPage(data, { kind: 'product', seller, product }),
    ),
    createSellerPage(data, { kind: 'catalogue', seller, product: null }),
  ]
}

export interface ChangedOptions extends Pick<SellerOptions, 'seller' | 'productPages'> {
  /** The ids of products that changed, were added or are gone. */
  readonly changed: readonly string[]
}

export interface SellerOptions {
  /** In lane `objects` sellers have no pages in the output folder. */
  readonly lane: Lane
  readonly seller: string
  /** Paths of the seller's recorded pages. */
  readonly recorded: readonly string[]
  /** Whether products have pages. */
  readonly productPages: boolean
}

export function createSellerPage(data: PageDataSource, key: SellerPageKey): PageSource {
  const { kind, seller, product } = key
  const { snapshot } = data
  return {
    ...key,
    path: formatPath(key),
    read: () => READ[kind](data, seller, product ?? ''),
    exists: () => snapshot.hasSeller(seller),
    countProducts: () => (kind === 'catalogue' ? snapshot.countProducts(seller) : 1),
  }
}

export function* readCatalogues(
  data: Parameters<typeof readCatalogue>[0],
  sellers: Iterable<string>,
): Generator<Catalogue> {
  for (const seller of sellers) {
    const catalogue = readCatalogue(data, seller)
    if (catalogue !== null) yield catalogue
  }
}

/** Returns the catalogue as its page shows it; `null` if the seller does not exist. */
export function readCatalogue(
  { snapshot, publicFiles }: Pick<PageDataSource, 'snapshot' | 'publicFiles'>,
  seller: string,
): Catalogue | null {
  const catalogue = snapshot.readCatalogue(seller)
  return catalogue === null ? null : dropLostPhotos(catalogue, publicFiles)
}

function formatPath({ kind, seller, product }: SellerPageKey): string {
  if (kind === 'catalogue') return formatCatalogueFile(seller)
  return kind === 'product' ? formatProductFile(seller, product ?? '') : formatUnknownProductFile(seller)
}

function findKind(seller: string, path: string): SellerPageKind {
  if (path === formatCatalogueFile(seller)) return 'catalogue'
  return path === formatUnknownProductFile(seller) ? 'unknown-product' : 'product'
}

type Read = (data: PageDataSource, seller: string, product: string) => PageData | null

const READ: Readonly<Record<SellerPageKind, Read>> = {
  catalogue: readCataloguePage,
  product: readProductPage,
  'unknown-product': readUnknownProductPage,
}

function readCataloguePage(data: PageDataSource, seller: string): PageData | null {
  const catalogue = readCatalogue(data, seller)
  if (catalogue === null) return null
  return createPageData({ kind: 'catalogue', catalogue, pictures: data.pictures.find(catalogue) }, data.url)
}

// Reads this product alone: reading the whole catalogue for each of its pages would take the square of its products.
function readProductPage(data: PageDataSource, seller: string, id: string): PageData | null {
  const found = data.snapshot.readProduct(seller, id)
  if (found === null) return null
  const catalogue = dropLostPhotos(found, data.publicFiles)
  const page = createProductPage({ catalogue, ...findSellerPictures(catalogue, data.pictures) }, id)
  return page === null ? null : createPageData(page, data.url)
}

function readUnknownProductPage({ snapshot, url }: PageDataSource, seller: string): PageData | null {
  const name = snapshot.readName(seller)
  return name === null ? null : createPageData({ kind: 'unknown-product', seller: { id: seller, name } }, url)
}

function createGonePage(seller: string, path: string): PageSource {
  return {
    path,
    kind: findKind(seller, path),
    seller,
    product: null,
    read: () => null,
    exists: () => false,
    countProducts: () => 0,
  }
}
