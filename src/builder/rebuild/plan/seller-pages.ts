/**
 * Lists the pages of one seller, such as the catalogue and the pages of products, and reads their data. Settings can
 * turn some kinds of pages off.
 */
import type { Catalogue } from '../../../domain/catalogue/catalogue.ts'
import { findSellerPictures } from '../../../domain/pages/find-pictures.ts'
import type { SellerParts } from '../../../domain/pages/seller-parts.ts'
import { SELLER_PAGES } from '../../../domain/pages/page.ts'
import type { SellerPageKey, SellerPageKind } from '../../../domain/documents/page-table.ts'
import {
  findEntry,
  findScope,
  isOfCatalogue,
  isOfSeller,
  isOn,
  listSellerKinds,
  PAGE_KINDS,
} from '../../../domain/documents/page-table.ts'
import { findPage, formatPageFile } from '../../../domain/documents/page-address.ts'
import { hasProductPage } from '../../../domain/pages/paths.ts'
import { NO_PICTURES } from '../../../domain/photos/picture.ts'
import { dropLostPhotos } from '../../../domain/photos/lost-photos.ts'
import type { PageData } from './page-data.ts'
import { createPageData } from './page-data.ts'
import type { PageDataSource, PageReader, PageSource } from './page-sources.ts'
import { NO_PAGES } from './page-sources.ts'

/**
 * Lists the pages of the seller that exist if the seller exists, and the other pages in `recorded`, which should no
 * longer exist. The catalogue comes last, so that the pages that it links to exist before it is written.
 */
export function listSellerPages(
  data: SellerPageSource,
  { seller, recorded }: SellerOptions,
): readonly PageSource[] {
  const products = data.snapshot.readProductIds(seller)
  const wanted = listKeys(data, seller, products).map((key) => createPage(key, data.reader))
  const paths = new Set(wanted.map(({ path }) => path))
  const left = recorded.filter((path) => !paths.has(path))
  return [...left.map((path) => createGonePage(seller, path)), ...wanted]
}

/**
 * Lists the pages that depend on these products of a seller: pages of the products, and the catalogue and other pages
 * of the seller that show products.
 */
export function listChangedPages(
  data: SellerPageSource,
  { seller, changed }: ChangedOptions,
): readonly PageSource[] {
  return listKeys(data, seller, changed)
    .filter(({ kind }) => findEntry(kind).from !== 'name')
    .map((key) => {
      const isGone = key.product !== null && data.snapshot.readProduct(seller, key.product) === null
      return createPage(key, isGone ? NO_PAGES : data.reader)
    })
}

/** Returns the keys of the pages of these products and of the seller, in the order of the table of page kinds. */
function listKeys(
  { site }: Pick<PageDataSource, 'site'>,
  seller: string,
  products: readonly string[],
): readonly SellerPageKey[] {
  const withPages = products.filter((product) => hasProductPage(site, product))
  return listSellerKinds().flatMap((kind): readonly SellerPageKey[] => {
    if (!isOn(kind, site)) return []
    if (findScope(kind) === 'seller') return [{ kind, seller, product: null }]
    return withPages.map((product) => ({ kind, seller, product }))
  })
}

interface ChangedOptions extends Pick<SellerOptions, 'seller'> {
  /** Ids of products that were changed, added or removed. */
  readonly changed: readonly string[]
}

interface SellerOptions {
  readonly seller: string
  /** Paths of the seller's recorded pages. */
  readonly recorded: readonly string[]
}

interface SellerPageSource extends Pick<PageDataSource, 'site' | 'snapshot'> {
  readonly reader: PageReader
}

/** Creates the reader that all pages of sellers share. */
export function createSellerReader(data: PageDataSource): PageReader {
  const { snapshot } = data
  return {
    read: (page) => (isOfSeller(page) ? readSellerPage(data, page) : null),
    exists: ({ seller }) => seller !== null && snapshot.hasSeller(seller),
    countProducts: ({ kind, seller }) => (isOfCatalogue(kind) ? snapshot.countProducts(seller ?? '') : 1),
  }
}

function createPage({ kind, seller, product }: SellerPageKey, reader: PageReader): PageSource {
  return { path: formatPageFile({ kind, seller, product }), kind, seller, product, reader }
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

/** Returns the catalogue without photos whose public file is missing; `null` if the seller does not exist. */
export function readCatalogue(
  { snapshot, publicFiles }: Pick<PageDataSource, 'snapshot' | 'publicFiles'>,
  seller: string,
): Catalogue | null {
  const catalogue = snapshot.readCatalogue(seller)
  return catalogue === null ? null : dropLostPhotos(catalogue, publicFiles)
}

/** Returns `null` if the page should not exist. */
export function readSellerPage(
  data: PageDataSource,
  { kind, seller, product }: SellerPageKey,
): PageData | null {
  const parts = READ[PAGE_KINDS[kind].from](data, seller, product ?? '')
  const page = parts === null ? null : SELLER_PAGES[kind](parts, product ?? '')
  return page === null ? null : createPageData(page, data.site)
}

type Read = (data: PageDataSource, seller: string, product: string) => SellerParts | null

const READ: Readonly<Record<(typeof PAGE_KINDS)[SellerPageKind]['from'], Read>> = {
  catalogue: (data, seller) => {
    const catalogue = readCatalogue(data, seller)
    return catalogue === null ? null : { catalogue, pictures: data.pictures.find(catalogue), previews: {} }
  },
  seller: (data, seller) => {
    const catalogue = readCatalogue(data, seller)
    return catalogue === null ? null : { catalogue, ...findSellerPictures(catalogue, data.pictures) }
  },
  // Reads only this product: reading the whole catalogue for each product page would take quadratic time.
  product: (data, seller, product) => {
    const found = data.snapshot.readProduct(seller, product)
    if (found === null) return null
    const catalogue = dropLostPhotos(found, data.publicFiles)
    return { catalogue, ...findSellerPictures(catalogue, data.pictures) }
  },
  name: ({ snapshot }, seller) => {
    const name = snapshot.readName(seller)
    return name === null
      ? null
      : { catalogue: { seller, name, whatsapp: null, products: [] }, pictures: NO_PICTURES, previews: {} }
  },
}

/** Creates a recorded page that should no longer exist. */
export function createGonePage(seller: string | null, path: string): PageSource {
  return { path, kind: findPage(path)?.kind ?? 'product', seller, product: null, reader: NO_PAGES }
}
