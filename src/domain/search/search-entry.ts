/** The part of a seller's data that search files are made from. */
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Product, ProductSeller } from '../documents/product.ts'
import type { CataloguePictures, Picture } from '../photos/picture.ts'

export type SearchProduct = {
  readonly product: Product
  /** The photo in small sizes; `null` for none. */
  readonly picture: Picture | null
}

export type SearchEntry = {
  readonly seller: ProductSeller
  /** At least one. */
  readonly products: readonly SearchProduct[]
}

/** Returns `null` for a seller without products, which the search does not show. */
export function createSearchEntry(
  { seller, name, products }: Catalogue,
  { photos }: Pick<CataloguePictures, 'photos'>,
): SearchEntry | null {
  if (products.length === 0) return null
  return {
    seller: { id: seller, name },
    products: products.map((product) => ({ product, picture: photos[product.photo ?? ''] ?? null })),
  }
}
