/**
 * The numbers of products and the lowest price of a decant, for the description of a catalogue in its link preview and
 * its feed.
 */
import { formatPrice, isPayable } from '../documents/price.ts'
import type { Product } from '../documents/product.ts'

export type Summary = {
  readonly count: number
  readonly available: number
  /** The lowest price of a decant that can be ordered, formatted as on the page; `null` for none. */
  readonly decantsFrom: string | null
}

export function createSummary(products: readonly Product[]): Summary {
  const decants = products.flatMap(({ _5ml, _10ml }) => [_5ml, _10ml])
  const prices = decants.flatMap(({ price, available }) => (available && isPayable(price) ? [price] : []))
  const lowest = prices.reduce((least, price) => Math.min(least, price), Infinity)
  return {
    count: products.length,
    available: products.filter(({ available }) => available).length,
    decantsFrom: lowest === Infinity ? null : formatPrice(lowest),
  }
}
