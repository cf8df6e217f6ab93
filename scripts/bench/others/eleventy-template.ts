/**
 * The Eleventy template that makes a page for each catalogue, with template literals. The frame is cut from a built
 * page; the rest repeats the markup of the Astro components.
 */
import { readFileSync } from 'node:fs'
import type { Catalogue } from '../../../src/domain/catalogue/catalogue.ts'
import { countFiltered, EVERYTHING, readOffered } from '../../../src/domain/catalogue/view.ts'
import { formatPrice } from '../../../src/domain/documents/price.ts'
import type { Decant, Product } from '../../../src/domain/documents/product.ts'
import {
  DECANT_AVAILABLE,
  DECANT_SIZES,
  DECANT_UNAVAILABLE,
  DECANTS,
  formatGreeting,
  formatProductCount,
  formatTitle,
  PHOTO_ALT,
  SOLD_OUT,
  WHATSAPP,
} from '../../../src/domain/messages.ts'
import { formatWhatsAppAddress } from '../../../src/domain/order/order-text.ts'
import { canOrder } from '../../../src/domain/order/review-order.ts'
import { formatJsonLd } from '../../../src/domain/pages/json-ld.ts'
import {
  formatCatalogueFile,
  formatProductAnchor,
  NO_PHOTO,
  PRODUCT_NAME,
} from '../../../src/domain/pages/paths.ts'
import { createProductList } from '../../../src/domain/pages/product-list.ts'
import { loadCatalogues, SITE } from './generator.ts'

interface PageData {
  readonly catalogue: Catalogue
}

/** The page without what differs from catalogue to catalogue. Its metadata for sharing stays that of one catalogue. */
const FRAME = new RegExp(
  [
    '^(?<start>.*<title>).*?',
    '(?<head></title>.*<div class="seller"><h1 translate="no"><bdi>).*?',
    '(?<contact></bdi></h1>)(?:<a [^>]*>.*?</a>)?',
    '(?<controls></div>.*<p class="unseen" role="status">).*?',
    '(?<list></p>.*<ul class="products" role="list">).*',
    '(?<nothing></ul>.*?)(?:<script type="application/ld.json">.*?</script>)?',
    '(?<end></main>.*)$',
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

const frame = FRAME.exec(readFileSync(process.env['BENCH_FRAME'] ?? '', 'utf8'))?.groups
if (frame === undefined)
  throw new Error(
    'a built catalogue page does not match FRAME: update scripts/bench/others/eleventy-template.ts',
  )
const { start, head, contact, controls = '', list, nothing, end } = frame

export const data = {
  catalogues: loadCatalogues(process.env['BENCH_DATABASE'] ?? ''),
  pagination: { data: 'catalogues', size: 1, alias: 'catalogue', addAllPagesToCollections: false },
  permalink: ({ catalogue }: PageData): string => formatCatalogueFile(catalogue.seller),
  eleventyExcludeFromCollections: true,
}

export function render({ catalogue }: PageData): string {
  const { name, products } = catalogue
  const title = escape(formatTitle(name, SITE.name))
  const cards = products.map(renderCard).join('')
  const counts = Object.values(countFiltered(products.map(readOffered)))
  const filters = controls.replace(/[^>]+(?=<\/small>)/g, () => `${counts.shift()}`)
  const count = formatProductCount(products.length, EVERYTHING)
  return `${start}${title}${head}${escape(name)}${contact}${renderContact(catalogue)}${filters}${count}${list}${cards}${nothing}${renderList(catalogue)}${end}`
}

function renderContact({ whatsapp }: Catalogue): string {
  if (whatsapp === null) return ''
  const address = formatWhatsAppAddress(whatsapp, formatGreeting(SITE.name))
  return `<a class="pill" href="${escape(address)}">${WHATSAPP}</a>`
}

function renderList({ seller, products }: Catalogue): string {
  if (products.length === 0) return ''
  const shown = createProductList(products, { site: SITE, seller, sizes: DECANT_SIZES })
  return `<script type="application/ld+json">${formatJsonLd(shown)}</script>`
}

function renderCard(product: Product, index: number): string {
  const { id, name, photo, price, available, _5ml: five, _10ml: ten } = product
  const { _5ml: fiveSize, _10ml: tenSize } = DECANT_SIZES
  const position = index + 1
  const isOffered = [product, five, ten].some(canOrder)
  const priority = position === 1 ? ' fetchpriority="high"' : ''
  const loading = `loading="${position <= 2 ? 'eager' : 'lazy'}"${priority}`
  return `<li class="card" id="${formatProductAnchor(id)}"${price === null ? '' : ` data-price="${price}"`}${available ? ' data-available' : ''}${five.available ? ' data-5ml' : ''}${ten.available ? ' data-10ml' : ''}><article aria-labelledby="${PRODUCT_NAME}${position}"><img src="${escape(photo ?? NO_PHOTO)}" alt="${PHOTO_ALT}" width="400" height="500" ${loading} decoding="async"><h2 translate="no" id="${PRODUCT_NAME}${position}"><bdi>${escape(name)}</bdi></h2><p class="price">${formatPrice(price)}</p>${available ? '' : `<p class="sold-out">${SOLD_OUT}</p>`}<p class="decants">${DECANTS}</p><dl>${renderDecant(fiveSize, five)}${renderDecant(tenSize, ten)}</dl><button class="share" aria-labelledby="to-share ${PRODUCT_NAME}${position}"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 15V4M8 8l4-4 4 4M6 12v7h12v-7"></path></svg></button>${isOffered ? `<button class="add" aria-labelledby="to-add ${PRODUCT_NAME}${position}"></button>` : ''}</article></li>`
}

function renderDecant(size: string, { price, available }: Decant): string {
  const word = available ? DECANT_AVAILABLE : DECANT_UNAVAILABLE
  return `<div${available ? ' data-available' : ''}><dt>${size}</dt><dd>${formatPrice(price)}<span class="unseen">, ${word}</span></dd></div>`
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character)
}
