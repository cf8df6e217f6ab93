/** The pages of one seller: her catalogue and, if products have pages, one of each product and one for products that are gone. */
import type { Catalogue } from '../../../domain/catalogue/catalogue.ts'
import { findSellerPictures } from '../../../domain/objects/find-pictures.ts'
import type { SellerParts } from '../../../domain/pages/page.ts'
import { SELLER_PAGES } from '../../../domain/pages/page.ts'
import type { PageKey, SellerPageKind } from '../../../domain/documents/page-table.ts'
import {
  findEntry,
  findPage,
  findScope,
  formatPageFile,
  listSellerKinds,
} from '../../../domain/documents/page-table.ts'
import { hasProductPage } from '../../../domain/pages/paths.ts'
import { NO_PICTURES } from '../../../domain/photos/picture.ts'
import { dropLostPhotos } from '../../../domain/photos/lost-photos.ts'
import type { PageData } from './page-data.ts'
import { createPageData } from './page-data.ts'
import type { PageDataSource, PageSource } from './page-sources.ts'
import type { Lane } from '../lane.ts'

/** Identifies one of them. Plain data. */
export interface SellerPageKey extends PageKey {
  readonly kind: SellerPageKind
  readonly seller: string
}

/**
 * Lists the pages that a seller should have, and those that only `recorded` names, which should not exist. The
 * catalogue is the last, so that its links lead to pages that are already there.
 */
export function listSellerPages(
  data: PageDataSource,
  { seller, recorded, productPages, lane }: SellerOptions,
): readonly PageSource[] {
  if (lane === 'objects') return recorded.map((path) => createGonePage(seller, path))
  const products = data.snapshot.readProductIds(seller)
  const wanted = listKeys(seller, products, { productPages }).map((key) => createSellerPage(data, key))
  const paths = new Set(wanted.map(({ path }) => path))
  const left = recorded.filter((path) => !paths.has(path))
  return [...left.map((path) => createGonePage(seller, path)), ...wanted]
}

/** Lists the pages that depend on these products of a seller: their own, and the catalogue. */
export function listChangedPages(
  data: PageDataSource,
  { seller, productPages, changed }: ChangedOptions,
): readonly PageSource[] {
  const keys = listKeys(seller, changed, { productPages })
  return keys
    .filter(({ kind }) => SELLER_PAGES[kind].reads !== 'name')
    .map((key) => {
      const isGone = key.product !== null && data.snapshot.readProduct(seller, key.product) === null
      return isGone ? createGonePage(seller, formatPageFile(key)) : createSellerPage(data, key)
    })
}

/** Lists the pages of these products, and of the seller, in the order of the table. */
function listKeys(
  seller: string,
  products: readonly string[],
  settings: Pick<SellerOptions, 'productPages'>,
): readonly SellerPageKey[] {
  const withPages = products.filter((product) => hasProductPage(settings, product))
  return listSellerKinds().flatMap((kind): readonly SellerPageKey[] => {
    if (findEntry(kind).isOfProducts === true && !settings.productPages) return []
    if (findScope(kind) === 'seller') return [{ kind, seller, product: null }]
    return withPages.map((product) => ({ kind, seller, product }))
  })
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
  const { kind, seller } = key
  const { snapshot } = data
  return {
    ...key,
    path: formatPageFile(key),
    read: () => readSellerPage(data, key),
    exists: () => snapshot.hasSeller(seller),
    countProducts: () => (SELLER_PAGES[kind].reads === 'catalogue' ? snapshot.countProducts(seller) : 1),
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

function readSellerPage(data: PageDataSource, { kind, seller, product }: SellerPageKey): PageData | null {
  const { reads, create } = SELLER_PAGES[kind]
  const parts = READ[reads](data, seller, product ?? '')
  const page = parts === null ? null : create(parts, product ?? '')
  return page === null ? null : createPageData(page, data.url)
}

type Read = (data: PageDataSource, seller: string, product: string) => SellerParts | null

const READ: Readonly<Record<(typeof SELLER_PAGES)[SellerPageKind]['reads'], Read>> = {
  catalogue: (data, seller) => {
    const catalogue = readCatalogue(data, seller)
    return catalogue === null ? null : { catalogue, pictures: data.pictures.find(catalogue), previews: {} }
  },
  // Reads this product alone: reading the whole catalogue for each of its pages would take the square of its products.
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

function createGonePage(seller: string, path: string): PageSource {
  return {
    path,
    kind: findPage(path)?.kind ?? 'product',
    seller,
    product: null,
    read: () => null,
    exists: () => false,
    countProducts: () => 0,
  }
}
