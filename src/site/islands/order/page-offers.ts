/** Reads the seller's offers from the page: from the cards of a catalogue, or from a product's own page. */
import { parseFormattedPrice } from '../../../domain/documents/price.ts'
import type { VisitorOrder, OrderSize } from '../../../domain/order/order.ts'
import { ORDER_SIZES } from '../../../domain/order/order.ts'
import type { FindOffer, Offer } from '../../../domain/order/review-order.ts'
import { canOrder, reviewOrder, takeOffered } from '../../../domain/order/review-order.ts'
import { formatProductAnchor, parseProductAnchor } from '../../../domain/pages/paths.ts'
import { find } from '../find.ts'
import { createElement } from './create-element.ts'

export interface OrderableSize {
  readonly product: string
  readonly size: OrderSize
  readonly name: string
  readonly price: number
}

/** Returns the page's offer for a size of a product; `null` if the page does not show the product. */
export const findShownOffer: FindOffer = (product, size) => {
  const shown = document.getElementById(formatProductAnchor(product))
  return shown === null ? null : readOffer(shown, size)
}

/** Returns the orderable lines with the page's prices. On a product's page, keeps lines of other products unchanged. */
export function takeOrderable(order: VisitorOrder): VisitorOrder {
  const isCatalogue = find('.products') !== null
  return order.flatMap((line) => {
    const isShown = document.getElementById(formatProductAnchor(line.product)) !== null
    return isCatalogue || isShown ? takeOffered(reviewOrder([line], findShownOffer)) : [line]
  })
}

/** Returns the orderable sizes of the product whose element contains `part`. */
export function listOrderable(part: Element): readonly OrderableSize[] {
  const shown = part.closest<HTMLElement>('.card, .product')
  if (shown === null) return []
  const product = parseProductAnchor(shown.id)
  return ORDER_SIZES.flatMap((size) => {
    const offer = readOffer(shown, size)
    return canOrder(offer) ? [{ product, size, name: offer.name, price: offer.price }] : []
  })
}

/** Returns a copy of the product's photo, hidden from screen readers, because the text next to it says the same. */
export function copyPhoto(product: string): HTMLElement {
  const photo = document.getElementById(formatProductAnchor(product))?.querySelector('picture, img')
  const tile = createElement('div', 'tile', photo?.cloneNode(true) ?? '')
  tile.setAttribute('aria-hidden', 'true')
  return tile
}

/** Returns the address of the product's page, or of its card if it has no page. */
export function formatProductAddress(product: string): string {
  const card = document.getElementById(formatProductAnchor(product))
  const link = card?.querySelector<HTMLAnchorElement>('h2 a')
  return link?.href ?? `${location.origin}${location.pathname}#${formatProductAnchor(product)}`
}

/**
 * Reads the offer of a size. A product's page has each price next to its size; a card has the prices in the order of
 * `ORDER_SIZES`. On both, attributes mark the available sizes.
 */
function readOffer(shown: HTMLElement, size: OrderSize): Offer {
  const price =
    shown.querySelector(`[value="${size}"] ~ .price`) ??
    shown.querySelectorAll('.card .price, dd')[ORDER_SIZES.indexOf(size)]?.firstChild
  return {
    name: shown.querySelector('h1, h2')?.textContent.trim() ?? '',
    price: parseFormattedPrice(price?.textContent?.trim() ?? ''),
    available: (size === 'frasco' ? 'available' : size) in shown.dataset,
  }
}
