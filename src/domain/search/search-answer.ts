/** Orders the results of a search in all catalogues. */
import type { Product } from '../documents/product.ts'
import { isPayable, MAX_PRICE } from '../documents/price.ts'
import type { FoundProduct, FoundSeller, Match, SearchAnswer } from '../pages/found-products.ts'
import { MATCHES } from '../pages/found-products.ts'

/** Max results of each kind. */
export const MOST_FOUND = { products: 30, sellers: 6 } as const

export const NOTHING_FOUND: SearchAnswer = { products: [], sellers: [], isMore: false }

/**
 * Max products of one seller in the main part of the results: the seller's further products come after those of other
 * sellers.
 */
export const MOST_OF_SELLER = 3

/** Sellers with at least this many products count as equally large. */
const MANY_PRODUCTS = 1_023
const HASH_BITS = 22
/** Number of different hashes that `hashPlace` may return. */
export const HASHES = 2 ** HASH_BITS

/**
 * Orders available products first, then by match, then by price in whole pesos. Ties are broken by a hash of the ids.
 * Used only by the search of the development server. The search index has the same order, but adds a secret salt to the
 * hash, because sellers choose the ids of their products.
 */
export function compareProducts(a: FoundProduct, b: FoundProduct): number {
  return (
    Number(b.product.available) - Number(a.product.available) ||
    compareMatches(a, b) ||
    rankPrice(a.product) - rankPrice(b.product) ||
    hashPlace('', a.seller.id, a.product.id) - hashPlace('', b.seller.id, b.product.id) ||
    compareTexts(a.seller.id, b.seller.id) ||
    compareTexts(a.product.id, b.product.id)
  )
}

/** Orders sellers by match, then by number of products, most first. Ties are broken by a hash of the ids. */
export function compareSellers(a: FoundSeller, b: FoundSeller): number {
  return (
    compareMatches(a, b) ||
    rankSeller(a) - rankSeller(b) ||
    hashPlace('', a.id) - hashPlace('', b.id) ||
    compareTexts(a.id, b.id)
  )
}

/**
 * Moves the products of each seller after the first `MOST_OF_SELLER` to the end. Available and unavailable products are
 * treated as two separate lists.
 */
export function spreadSellers(products: readonly FoundProduct[]): readonly FoundProduct[] {
  const counts = new Map<string, number>()
  const ranked = products.map((found) => {
    const { product, seller } = found
    const group = `${product.available} ${seller.id}`
    const count = (counts.get(group) ?? 0) + 1
    counts.set(group, count)
    return { found, rank: 2 * Number(!product.available) + Number(count > MOST_OF_SELLER) }
  })
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ found }) => found)
}

/**
 * Returns the price in whole pesos. For products without a price, or with one that rounds to 0, returns more than any
 * price, so that they come last.
 */
export function rankPrice({ price }: Pick<Product, 'price'>): number {
  return isPayable(price) ? Math.floor(price) : MAX_PRICE + 1
}

/** Returns the rank of a seller by number of products: 0 for `MANY_PRODUCTS` or more. */
export function rankSeller({ products }: Pick<FoundSeller, 'products'>): number {
  return MANY_PRODUCTS - Math.min(products, MANY_PRODUCTS)
}

/**
 * Returns the FNV-1a hash of the ids, shortened to `HASH_BITS` bits. A secret salt keeps sellers from choosing ids that
 * rank high.
 */
export function hashPlace(salt: string, ...ids: readonly string[]): number {
  const text = [salt, ...ids, salt].join('/')
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return (hash ^ (hash >>> HASH_BITS)) & (HASHES - 1)
}

function compareMatches(a: { readonly match: Match }, b: { readonly match: Match }): number {
  return MATCHES.indexOf(a.match) - MATCHES.indexOf(b.match)
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
