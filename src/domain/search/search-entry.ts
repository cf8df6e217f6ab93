/** The part of a seller's data that the search index holds. */
import { formatCanonicalJson } from '../documents/json.ts'
import type { ProductSeller } from '../documents/product.ts'
import { digestText } from '../work/digest.ts'
import type { SellerParts } from '../pages/seller-parts.ts'
import type { SearchProduct } from '../pages/found-products.ts'
import { WORDS_VERSION } from './words.ts'

export type SearchEntry = {
  readonly seller: ProductSeller
  /** Ascending by id; at least one. */
  readonly products: readonly SearchProduct[]
}

/** Returns `null` for a seller without products, which the search does not show. */
export function createSearchEntry({
  catalogue,
  pictures,
}: Pick<SellerParts, 'catalogue' | 'pictures'>): SearchEntry | null {
  if (catalogue.products.length === 0) return null
  return {
    seller: { id: catalogue.seller, name: catalogue.name },
    // Sorted by id, because hosts may sort names differently.
    products: catalogue.products
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .map((product) => ({ product, picture: pictures.photos[product.photo ?? ''] ?? null })),
  }
}

/** Returns a digest that is the same for equal entries under the same `WORDS_VERSION`; `null` without an entry. */
export async function digestEntry(entry: SearchEntry | null): Promise<string | null> {
  return entry === null ? null : digestText(`${WORDS_VERSION} ${formatCanonicalJson(entry)}`)
}
