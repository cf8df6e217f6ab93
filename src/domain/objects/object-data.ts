/** The data of one object: everything that the pages of a seller are made from. */
import type { Catalogue } from '../catalogue/catalogue.ts'
import { sortProducts } from '../catalogue/catalogue.ts'
import { formatCanonicalJson } from '../documents/json.ts'
import type { CataloguePage, ProductPage, UnknownProductPage } from '../pages/page.ts'
import type { PreviewPicture } from '../pages/sharing.ts'
import { createSocialPreview } from '../pages/sharing.ts'
import type { CataloguePictures, Picture } from '../photos/picture.ts'
import { formatLargeTransformations } from '../photos/transformations.ts'

/** Version of the data's shape. A Worker shows objects of another version as they stand. */
export const FORMAT = 1

/** The seller's id. */
export type ObjectName = string

export type SellerData = {
  readonly kind: 'seller'
  /** Products ascending by id: hosts may differ in the order of names. */
  readonly catalogue: Catalogue
  readonly pictures: CataloguePictures
  /** By the photo's address: the picture in link previews of a product with this photo. */
  readonly previews: Readonly<Record<string, PreviewPicture>>
  readonly hasProfile: boolean
  /** Newest update of the seller's documents, RFC 3339 in UTC; empty when unknown. */
  readonly updated: string
}

/** `catalogue` is in page order, and its lost photos are dropped. */
export function createSellerData(
  catalogue: Catalogue,
  parts: Pick<SellerData, 'pictures' | 'previews' | 'hasProfile' | 'updated'>,
): SellerData {
  const products = catalogue.products.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return { kind: 'seller', catalogue: { ...catalogue, products }, ...parts }
}

/** Returns the same text for equal data. */
export function formatObjectData(data: SellerData): string {
  return formatCanonicalJson(data)
}

export function createCataloguePage({ catalogue, pictures }: SellerData): CataloguePage {
  return {
    kind: 'catalogue',
    catalogue: { ...catalogue, products: sortProducts(catalogue.products) },
    pictures,
  }
}

/** Returns `null` if the seller does not have the product. */
export function createProductPage(
  data: Pick<SellerData, 'catalogue' | 'pictures' | 'previews'>,
  id: string,
): ProductPage | null {
  const { catalogue, pictures, previews } = data
  const product = catalogue.products.find((one) => one.id === id)
  if (product === undefined) return null
  const photo = product.photo ?? ''
  return {
    kind: 'product',
    product,
    seller: { id: catalogue.seller, name: catalogue.name, whatsapp: catalogue.whatsapp },
    picture: findLargePicture(photo, { pictures, previews }),
    preview: previews[photo] ?? createSocialPreview(pictures.social),
  }
}

/** Returns the whole photo in large sizes, else in the sizes of cards; `null` for neither. */
function findLargePicture(
  photo: string,
  { pictures, previews }: Pick<SellerData, 'pictures' | 'previews'>,
): Picture | null {
  const small = pictures.photos[photo] ?? null
  if (small === null) return null
  if (small.type === null) return formatLargeTransformations(photo)
  const sources = previews[photo]?.sources
  return sources === undefined ? small : { type: small.type, sources, tone: small.tone }
}

/** What the address of a product shows that the seller does not have. */
export function createUnknownProductPage({ catalogue: { seller, name } }: SellerData): UnknownProductPage {
  return { kind: 'unknown-product', seller: { id: seller, name } }
}
