/**
 * The Eleventy template that makes a page for each catalogue, with template literals. The frame is cut from a built
 * page, and the cards are made by the project's own function.
 */
import { readFileSync } from 'node:fs'
import type { Catalogue } from '../../../src/domain/catalogue/catalogue.ts'
import { countFiltered, EVERYTHING, readOffered } from '../../../src/domain/catalogue/view.ts'
import {
  DECANT_SIZES,
  formatGreeting,
  formatProductCount,
  formatTitle,
  WHATSAPP,
} from '../../../src/domain/messages.ts'
import { formatWhatsAppAddress } from '../../../src/domain/order/order-text.ts'
import { formatJsonLd } from '../../../src/domain/pages/json-ld.ts'
import { formatCatalogueFile } from '../../../src/domain/pages/paths.ts'
import { createProductList } from '../../../src/domain/pages/product-list.ts'
import { formatProductCard } from '../../../src/site/markup/product-card.ts'
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
  const cards = products.map((product, index) =>
    formatProductCard({ product, picture: null, position: index + 1, link: null }),
  )
  const counts = Object.values(countFiltered(products.map(readOffered)))
  const filters = controls.replace(/[^>]+(?=<\/small>)/g, () => `${counts.shift()}`)
  const count = formatProductCount(products.length, EVERYTHING)
  return [
    `${start}${title}${head}${escape(name)}${contact}${renderContact(catalogue)}${filters}${count}${list}`,
    ...cards,
    `${nothing}${renderList(catalogue)}${end}`,
  ].join('')
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

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character)
}
