/**
 * The card of a product on the catalogue of its seller, as text. A page has up to thousands of cards, and Astro would
 * keep objects of all their elements, attributes and values until the page is complete.
 */
import { escapeAttribute, escapeHtml } from '../../domain/documents/escape.ts'
import { formatPrice } from '../../domain/documents/price.ts'
import type { Product } from '../../domain/documents/product.ts'
import {
  DECANTS,
  DECANT_AVAILABLE,
  DECANT_SIZES,
  DECANT_UNAVAILABLE,
  SOLD_OUT,
} from '../../domain/messages.ts'
import { canOrder } from '../../domain/order/review-order.ts'
import { formatProductAnchor, PRODUCT_NAME } from '../../domain/pages/paths.ts'
import type { Picture } from '../../domain/photos/picture.ts'
import { formatPhoto } from './photo.ts'
import { CARD_LABELS } from './card-labels.ts'
import { showCardPhoto } from './photo-sources.ts'

export interface CardParts {
  readonly product: Product
  /** The photo in small sizes; `null` if there are none. */
  readonly picture: Picture | null
  /** Position on the page, from 1. */
  readonly position: number
  /** Address of the product's page; `null` if it has none. */
  readonly link: string | null
}

/** Number of photos visible at once on a phone. */
const FIRST_PHOTOS = 2

const SHARE =
  '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 15V4M8 8l4-4 4 4M6 12v7h12v-7"></path></svg>'

export function formatProductCard(parts: CardParts): string {
  const { product, position, link } = parts
  const { id, price, available, _5ml, _10ml } = product
  const nameId = PRODUCT_NAME + position
  const name = `<bdi>${escapeHtml(product.name)}</bdi>`
  const isOffered = [product, _5ml, _10ml].some(canOrder)
  return [
    `<li class="card" id="${formatProductAnchor(id)}"${price === null ? '' : ` data-price="${price}"`}`,
    `${formatFlag(available, 'available')}${formatFlag(_5ml.available, '5ml')}${formatFlag(_10ml.available, '10ml')}>`,
    `<article aria-labelledby="${nameId}">${formatCardPhoto(parts)}<h2 translate="no" id="${nameId}">`,
    link === null ? name : `<a href="${escapeAttribute(link)}">${name}</a>`,
    `</h2><p class="price">${formatPrice(price)}</p>`,
    available ? '' : `<p class="sold-out">${SOLD_OUT}</p>`,
    `<p class="decants">${DECANTS}</p><dl>`,
    formatDecant(product, '_5ml'),
    formatDecant(product, '_10ml'),
    `</dl><button class="share" aria-labelledby="${CARD_LABELS.share.id} ${nameId}">${SHARE}</button>`,
    isOffered ? `<button class="add" aria-labelledby="${CARD_LABELS.add.id} ${nameId}"></button>` : '',
    '</article></li>',
  ].join('')
}

function formatFlag(isSet: boolean, name: string): string {
  return isSet ? ` data-${name}` : ''
}

function formatDecant(product: Product, size: '_5ml' | '_10ml'): string {
  const { price, available } = product[size]
  const offer = available ? DECANT_AVAILABLE : DECANT_UNAVAILABLE
  const start = `<div${formatFlag(available, 'available')}><dt>${DECANT_SIZES[size]}</dt>`
  return `${start}<dd>${formatPrice(price)}<span class="unseen">, ${offer}</span></dd></div>`
}

function formatCardPhoto({ product, picture, position }: CardParts): string {
  const loading = position <= FIRST_PHOTOS ? 'eager' : 'lazy'
  const priority = position === 1 ? ' fetchpriority="high"' : ''
  const photo = formatPhoto(showCardPhoto(product, picture), ` loading="${loading}"${priority}`)
  return picture === null ? photo : `<picture>${photo}</picture>`
}
