/** The matches of a search, as its page shows them. */
import type { Product, ProductSeller } from '../documents/product.ts'
import type { Picture } from '../photos/picture.ts'

/**
 * How well the words of a query match a name, best first. `whole`: each is a whole word of the name. `beginning`: each
 * is a whole word or the beginning of one. `part`: at least one is found only inside a word. `misspelt`: at least one
 * has a wrong letter.
 */
export const MATCHES = ['whole', 'beginning', 'part', 'misspelt'] as const
export type Match = (typeof MATCHES)[number]

export type SearchProduct = {
  readonly product: Product
  /** The photo in small sizes; `null` for none. */
  readonly picture: Picture | null
}

export type FoundProduct = SearchProduct & {
  readonly match: Match
  readonly seller: ProductSeller
}

export type FoundSeller = ProductSeller & {
  readonly match: Match
  readonly products: number
  /** Number of products that are available. */
  readonly available: number
}

export type SearchAnswer = {
  /**
   * In the order of `compareProducts`, except that a seller's products beyond the first few come after those of other
   * sellers.
   */
  readonly products: readonly FoundProduct[]
  /** In the order of `compareSellers`. */
  readonly sellers: readonly FoundSeller[]
  /** Whether more products match than `products` lists. */
  readonly isMore: boolean
}
