/** The matches of a search, as its page shows them. */
import type { Product, ProductSeller } from '../documents/product.ts'

/**
 * How well the words of a query match a name, best first. `whole`: each is a whole word of the name, or means one.
 * `beginning`: each is that, or the beginning of a word. `part`: at least one matches less closely, such as inside a
 * word or as several words written together. `misspelt`: at least one differs from a word in one letter.
 */
export const MATCHES = ['whole', 'beginning', 'part', 'misspelt'] as const
export type Match = (typeof MATCHES)[number]

/** The photo in its smallest size. `type` is `null` if the edge chooses the format. */
interface CardSource {
  readonly type: string | null
  readonly srcset: string
}

/** What a result shows of a product. */
export interface SearchCard extends Pick<Product, 'name' | 'price' | '_5ml' | '_10ml'> {
  /** The part of the product's address that follows the address of its catalogue. */
  readonly link: string
  /** Address of the photo for browsers that do not use `source`. */
  readonly photo: string
  readonly source: CardSource | null
  /** Index of the placeholder colour in `TONES`; `null` for none. */
  readonly tone: number | null
}

export interface FoundProduct extends SearchCard, Pick<Product, 'available'> {
  readonly match: Match
  readonly seller: ProductSeller
}

export type FoundSeller = ProductSeller & {
  readonly match: Match
  readonly products: number
  /** Number of products that are available. */
  readonly available: number
}

export interface SearchAnswer {
  /**
   * Available products first, then by match, then by price; but a seller's products beyond the first few come after
   * those of other sellers.
   */
  readonly products: readonly FoundProduct[]
  /** By match, then by number of products, most first. */
  readonly sellers: readonly FoundSeller[]
  /** True if the search found more products than fit into `products`. */
  readonly isMore: boolean
}
