/** Compares a stored order with what the seller offers now. */
import { isPayable } from '../documents/price.ts'
import type { VisitorOrder, OrderLine, OrderSize } from './order.ts'

/** The offer of one product in one size. */
export type Offer = {
  readonly name: string
  /** `null` for none. Without a price, or with one that rounds to 0, the size cannot be ordered. */
  readonly price: number | null
  readonly available: boolean
}

/** Returns `null` if the seller no longer has the product. */
export type FindOffer = (product: string, size: OrderSize) => Offer | null

export type OfferChange =
  | { readonly kind: 'price'; readonly before: number }
  | { readonly kind: 'sold-out' | 'no-price' | 'gone' }

export type ReviewedLine = {
  /**
   * The line with the product's current name, and with the current price if the line can be ordered. Unchanged if the
   * seller no longer has the product.
   */
  readonly line: OrderLine
  /** `null` if the line can be ordered at the price that the visitor last saw. */
  readonly change: OfferChange | null
  /** Whether the line can be ordered now: its size is available, at a price that does not round to 0. */
  readonly isOffered: boolean
}

export function reviewOrder(order: VisitorOrder, findOffer: FindOffer): readonly ReviewedLine[] {
  return order.map((line) => reviewLine(line, findOffer(line.product, line.size)))
}

/** Returns the lines that can be ordered, with current names and prices. */
export function takeOffered(lines: readonly ReviewedLine[]): VisitorOrder {
  return lines.filter(({ isOffered }) => isOffered).map(({ line }) => line)
}

export function canOrder<O extends Pick<Offer, 'price' | 'available'>>(
  offer: O,
): offer is O & { readonly price: number } {
  return offer.available && isPayable(offer.price)
}

function reviewLine(line: OrderLine, offer: Offer | null): ReviewedLine {
  if (offer === null) return { line, change: { kind: 'gone' }, isOffered: false }
  const { name, price } = offer
  if (!canOrder(offer)) {
    const kind = isPayable(price) ? 'sold-out' : 'no-price'
    return { line: { ...line, name }, change: { kind }, isOffered: false }
  }
  const change: OfferChange | null = price === line.price ? null : { kind: 'price', before: line.price }
  return { line: { ...line, name, price: offer.price }, change, isOffered: true }
}
