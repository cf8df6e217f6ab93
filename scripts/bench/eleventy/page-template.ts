/** The catalogue page as template literals: the frame is cut from a finished page, the rest follows the components. */
import type { Catalogue } from '../../../src/domain/catalogue.ts'
import { formatPrice } from '../../../src/domain/price.ts'
import type { Decant, Product } from '../../../src/domain/product.ts'
import {
  DECANT_AVAILABLE,
  DECANT_SIZES,
  DECANT_UNAVAILABLE,
  DECANTS,
  formatCount,
  formatTitle,
  PHOTO_ALT,
  SOLD_OUT,
} from '../../../src/messages.ts'
import { SITE } from '../site-data.ts'

const FRAME = new RegExp(
  [
    '^(?<start>.*<title>).*?',
    '(?<meta></title>.*?)(?:<meta name="robots"[^>]*>)?',
    '(?<head><link rel="icon".*<h1 class="seller"><bdi>).*?',
    '(?<filters></bdi>.*<p class="count" role="status">).*?',
    '(?<list></p>.*<ul class="products" role="list">).*',
    '(?<end></ul><p class="nothing".*)$',
  ].join(''),
  's',
)

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** `page` is any finished catalogue page. */
export function createTemplate(page: string): (catalogue: Catalogue) => string {
  const frame = FRAME.exec(page)?.groups
  if (frame === undefined) throw new Error('the frame of a catalogue page has changed: adapt the bench to it')
  const { start, meta, head, filters, list, end } = frame
  return ({ name, products }) => {
    const robots = products.length > 0 ? '' : '<meta name="robots" content="noindex">'
    const title = escape(formatTitle(name, SITE.name))
    const cards = products.map(renderCard).join('')
    return `${start}${title}${meta}${robots}${head}${escape(name)}${filters}${formatCount(products.length, 'todos', '')}${list}${cards}${end}`
  }
}

function renderCard(product: Product, index: number): string {
  const { id, name, photo, price, available, _5ml: five, _10ml: ten } = product
  const { _5ml: fiveSize, _10ml: tenSize } = DECANT_SIZES
  const position = index + 1
  const loading = position <= 2 ? 'loading="eager" fetchpriority="high"' : 'loading="lazy"'
  return `<li class="card" data-product="${escapeAttribute(id)}"${available ? ' data-available' : ''}><article aria-labelledby="producto-${position}"><img src="${escapeAttribute(photo ?? '/sin-foto.svg')}" alt="${PHOTO_ALT}" width="400" height="500" ${loading} decoding="async"><h2 id="producto-${position}"><bdi>${escape(name)}</bdi></h2><p class="price">${formatPrice(price)}</p>${available ? '' : `<p class="sold-out">${SOLD_OUT}</p>`}<p class="decants">${DECANTS}</p><dl>${renderDecant(fiveSize, five)}${renderDecant(tenSize, ten)}</dl></article></li>`
}

function renderDecant(size: string, { price, available }: Decant): string {
  const names = `decant${available ? ' is-available' : ''}${price === null ? '' : ' has-price'}`
  const word = available ? DECANT_AVAILABLE : DECANT_UNAVAILABLE
  return `<div class="${names}"${available ? ' data-available' : ''}><dt>${size}</dt><dd>${formatPrice(price)}<span class="unseen">, ${word}</span></dd></div>`
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character)
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&#38;').replaceAll('"', '&#34;')
}
