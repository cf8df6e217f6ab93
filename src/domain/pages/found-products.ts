/** The matches of a search, as its page shows them. */
import type { Product, ProductSeller } from '../documents/product.ts'
import type { Picture } from '../photos/picture.ts'

/**
 * How well the words of a query match a name, best first. `whole`: each is a whole word of the name, or means one.
 * `beginning`: each is that, or the beginning of a word. `part`: at least one matches less closely, such as inside a
 * word or as several words written together. `misspelt`: at least one differs from a word in one letter.
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
  /** True if the search found more products than fit into `products`. */
  readonly isMore: boolean
}
