/** Bounds of the results of a search, and numbers by which they are ordered. */
import { isPayable, MAX_PRICE } from '../documents/price.ts'
import type { Product } from '../documents/product.ts'
import type { FoundSeller } from './found-products.ts'

/** Max results of each kind. */
export const MOST_FOUND = { products: 30, sellers: 6 } as const

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

/** Returns the FNV-1a hash of the ids, shortened to `HASH_BITS` bits, which orders products of the same price. */
export function hashPlace(...ids: readonly string[]): number {
  const text = ids.join('/')
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return (hash ^ (hash >>> HASH_BITS)) & (HASHES - 1)
}
