/**
 * The poster: a page for the seller, with the catalogue's link to print and to share, and with the faults that keep the
 * seller from selling.
 */
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Summary } from '../catalogue/summary.ts'
import { createSummary } from '../catalogue/summary.ts'
import { isPayable } from '../documents/price.ts'
import type { Decant, Product } from '../documents/product.ts'
import { foldText } from '../documents/text.ts'
import type { PosterMark, SIZE_NAMES } from '../messages.ts'
import { placePhoto } from '../photos/photo-hosts.ts'
import type { CataloguePictures } from '../photos/picture.ts'
import type { SellerParts } from './seller-parts.ts'

/** The data of the poster. It contains nothing that the public catalogue does not show. */
export type PosterPage = {
  readonly kind: 'poster'
  readonly seller: string
  readonly name: string
  readonly whatsapp: string | null
  readonly summary: Summary
  /** Path of the picture in the link preview of the catalogue; `null` for none. */
  readonly social: string | null
  readonly faults: readonly PosterFault[]
}

/** Something that keeps the seller from selling. */
export type PosterFault = {
  readonly mark: PosterMark
  /** Number of products that have the fault; 0 if the fault concerns the seller, such as a missing WhatsApp number. */
  readonly count: number
  /** The first products that have the fault, at most `MOST_NAMED`; empty if the fault concerns the seller. */
  readonly products: readonly MarkedProduct[]
}

type MarkedProduct = Pick<Product, 'id' | 'name'> & {
  /** The sizes of the product that have the fault; empty if the fault concerns the product as a whole. */
  readonly sizes: readonly PosterSize[]
}

type PosterSize = keyof typeof SIZE_NAMES

/** Max products that the poster names for each fault. */
const MOST_NAMED = 12

export function createPosterPage({ catalogue, pictures }: SellerParts): PosterPage {
  const { seller, name, whatsapp, products } = catalogue
  const faults = [...findSellerFaults(catalogue), ...findProductFaults(catalogue, pictures)]
  return {
    kind: 'poster',
    seller,
    name,
    whatsapp,
    summary: createSummary(products),
    social: pictures.social,
    faults,
  }
}

function findSellerFaults({ whatsapp, products }: Catalogue): readonly PosterFault[] {
  const marks: readonly (PosterMark | false)[] = [
    whatsapp === null && 'no-number',
    products.length === 0 && 'no-products',
    products.length > 0 && products.every(isSoldOut) && 'all-sold-out',
  ]
  return marks.flatMap((mark) => (mark === false ? [] : [{ mark, count: 0, products: [] }]))
}

function findProductFaults(
  { products }: Catalogue,
  { photos, social }: CataloguePictures,
): readonly PosterFault[] {
  // A photo without a picture counts as lost only if a builder makes the pictures. A builder certainly makes them if
  // the seller has a picture for link previews, or if the picture of any photo has a MIME type, because pictures that
  // the edge makes have neither.
  const isMade = social !== null || [...photos.values()].some(({ type }) => type !== null)
  const isLost = (photo: string): boolean => isMade && !photos.has(photo) && !isDrawing(photo)
  const names = Map.groupBy(products, ({ name }) => foldText(name))
  return [
    createFault('unread-price', findUnread(products)),
    createFault(
      'no-price',
      findSizes(products, ({ price }) => price === null),
    ),
    createFault(
      'zero-price',
      findSizes(products, ({ price }) => price !== null && !isPayable(price)),
    ),
    createFault(
      'no-photo',
      findWhole(products, ({ photo }) => photo === null),
    ),
    createFault(
      'lost-photo',
      findWhole(products, ({ photo }) => photo !== null && isLost(photo)),
    ),
    createFault(
      'same-name',
      findWhole(products, ({ name }) => (names.get(foldText(name))?.length ?? 0) > 1),
    ),
    createFault('sold-out', products.every(isSoldOut) ? [] : findWhole(products, isSoldOut)),
  ].filter(({ count }) => count > 0)
}

function createFault(mark: PosterMark, found: readonly MarkedProduct[]): PosterFault {
  return { mark, count: found.length, products: found.slice(0, MOST_NAMED) }
}

function findWhole(
  products: readonly Product[],
  isMarked: (product: Product) => boolean,
): readonly MarkedProduct[] {
  return products.filter(isMarked).map(({ id, name }) => ({ id, name, sizes: [] }))
}

/** Finds the products with an available size that `isMarked` accepts, and whose price could be read. */
function findSizes(
  products: readonly Product[],
  isMarked: (size: Decant) => boolean,
): readonly MarkedProduct[] {
  const found = products.map((product): MarkedProduct => {
    const unread = listUnread(product)
    const offered = listSizes(product).filter(
      ([name, size]) => size.available && isMarked(size) && !unread.includes(name),
    )
    return { id: product.id, name: product.name, sizes: offered.map(([size]) => size) }
  })
  return found.filter(({ sizes }) => sizes.length > 0)
}

function findUnread(products: readonly Product[]): readonly MarkedProduct[] {
  return products
    .map((product) => ({ id: product.id, name: product.name, sizes: listUnread(product) }))
    .filter(({ sizes }) => sizes.length > 0)
}

/** Lists the sizes whose price could not be read. */
function listUnread({ unread = [] }: Product): readonly PosterSize[] {
  return unread.map((field) =>
    field.startsWith('_5ml') ? '5ml' : field.startsWith('_10ml') ? '10ml' : 'frasco',
  )
}

function isSoldOut(product: Product): boolean {
  return listSizes(product).every(([, { available }]) => !available)
}

function listSizes({
  price,
  available,
  _5ml,
  _10ml,
}: Omit<Product, 'id' | 'name'>): readonly (readonly [PosterSize, Decant])[] {
  return [
    ['frasco', { price, available }],
    ['5ml', _5ml],
    ['10ml', _10ml],
  ]
}

/**
 * Returns whether the photo is an SVG file of the site. No picture is made of such a file, because pages show it as it
 * is.
 */
function isDrawing(photo: string): boolean {
  return placePhoto(photo, { names: [], origins: [] }).kind === 'drawing'
}
