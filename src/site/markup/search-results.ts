/**
 * The results of a search as HTML, and the page that shows them. All texts of documents and queries are escaped.
 */
import { DECANT_CHOICES, PARAMETERS } from '../../domain/catalogue/view.ts'
import { escapeHtml } from '../../domain/documents/escape.ts'
import { formatPrice } from '../../domain/documents/price.ts'
import {
  BACK_HOME,
  DECANT_CHOICE_LABEL,
  formatDecantFilter,
  formatFound,
  formatNoun,
  formatSearchHeading,
  formatSearchTitle,
  FOUND_PRODUCTS,
  FOUND_SELLERS,
  MORE_FOUND,
  MORE_SELLERS,
  NOTHING_FOUND_TEXT,
  SEARCH_BUSY_HEADING,
  SEARCH_BUSY_TEXT,
  SEARCH_FAILED_HEADING,
  SEARCH_FAILED_TEXT,
  SOLD_OUT,
} from '../../domain/messages.ts'
import { formatCataloguePath, formatSearchPath } from '../../domain/pages/paths.ts'
import type { FoundSeller } from '../../domain/search/search-card.ts'
import type { AskedSearch, FoundProduct, SearchAnswer } from '../../domain/search/search-files.ts'
import type { ShownPhoto } from './photo.ts'
import { formatPhoto, formatPreload } from './photo.ts'

/** What a search page shows instead of results. `busy`: the visitor searches too often. */
export type SearchNotice = 'busy' | 'failed'

/** Enclose the part of the built search page that results replace. */
export const RESULTS_START = '<!--results-->'
export const RESULTS_END = '<!--/results-->'

const NOTICES: Readonly<Record<SearchNotice, readonly [heading: string, text: string]>> = {
  busy: [SEARCH_BUSY_HEADING, SEARCH_BUSY_TEXT],
  failed: [SEARCH_FAILED_HEADING, SEARCH_FAILED_TEXT],
}

/** Number of sellers before those that are collapsed, so that products appear on the first screen. */
const FIRST_SELLERS = 3
/** Number of photos visible at once on a phone. */
const FIRST_PHOTOS = 5

/** Returns the built search page with an answer, or with a notice. Throws if `shell` is another page. */
export function fillSearchPage(
  shell: string,
  asked: AskedSearch,
  answer: SearchAnswer | SearchNotice,
): string {
  const { query, decants } = asked
  const isNotice = typeof answer === 'string'
  const content = isNotice ? formatNotice(answer) : formatResults(asked, answer)
  const [first] = isNotice ? [] : answer.products
  const narrowed =
    decants === 'todos' ? '' : `<input type="hidden" name="${PARAMETERS.decants}" value="${decants}">`
  const start = shell.indexOf(RESULTS_START)
  const end = shell.indexOf(RESULTS_END)
  if (start === -1 || end === -1) throw new Error('the page has no place for results')
  const before = shell
    .slice(0, start)
    .replace(
      `<title>${escapeHtml(formatSearchTitle(''))}`,
      () => `<title>${escapeHtml(formatSearchTitle(query))}`,
    )
    .replace('</title>', (tag) => tag + (first === undefined ? '' : formatPreload(showPhoto(first))))
    .replace(
      /(<input type="search")([^>]*>)/,
      (_, tag: string, rest: string) => `${tag} value="${escapeHtml(query)}"${rest}${narrowed}`,
    )
  return before + content + shell.slice(end + RESULTS_END.length)
}

function formatResults(asked: AskedSearch, { sellers, products, isMore, isNear }: SearchAnswer): string {
  const { query, decants } = asked
  const heading = escapeHtml(formatSearchHeading(query))
  const status = formatFound({
    sellers: sellers.length,
    products: products.length,
    isMore,
    isNear,
    decants,
  })
  const isNarrowed = decants !== 'todos'
  if (sellers.length + products.length === 0 && !isNarrowed)
    return formatMessage(heading, `<p role="status">${status}</p><p>${NOTHING_FOUND_TEXT}</p>`)
  const list = products.map((one, index) => formatProduct(one, index < FIRST_PHOTOS)).join('')
  return [
    `<div class="results"><h1>${heading}</h1><p role="status">${status}</p>`,
    sellers.length > 0 ? formatSellers(sellers) : '',
    products.length > 0 || isNarrowed ? formatDecantLinks(asked) : '',
    products.length > 0 ? `<ul class="finds" role="list" aria-label="${FOUND_PRODUCTS}">${list}</ul>` : '',
    isMore ? `<p>${MORE_FOUND}</p>` : '',
    '</div>',
  ].join('')
}

function formatNotice(notice: SearchNotice): string {
  const [heading, text] = NOTICES[notice]
  return formatMessage(heading, `<p>${text}</p>`)
}

function formatMessage(heading: string, text: string): string {
  return `<div class="lost"><h1>${heading}</h1>${text}<p><a class="pill" href="/">${BACK_HOME}</a></p></div>`
}

function formatSellers(sellers: readonly FoundSeller[]): string {
  const rest = sellers.slice(FIRST_SELLERS)
  const more = `<details><summary class="pill">${MORE_SELLERS}</summary>${formatSellerList(rest, MORE_SELLERS)}</details>`
  return formatSellerList(sellers.slice(0, FIRST_SELLERS), FOUND_SELLERS) + (rest.length > 0 ? more : '')
}

function formatSellerList(sellers: readonly FoundSeller[], label: string): string {
  const items = sellers.map(
    ({ id, name, products }) =>
      `<li><a class="pill" href="${escapeHtml(formatCataloguePath(id))}"><bdi>${escapeHtml(name)}</bdi><small>${formatNoun(products, 'producto')}</small></a></li>`,
  )
  return `<ul class="sellers" role="list" aria-label="${label}">${items.join('')}</ul>`
}

/** Links that narrow the results to products with a decant, or show all results again. */
function formatDecantLinks(asked: AskedSearch): string {
  const links = DECANT_CHOICES.map((decants) => {
    const current = decants === asked.decants ? ' aria-current="true"' : ''
    return `<a class="pill" href="${escapeHtml(formatSearchPath({ ...asked, decants }))}"${current}>${formatDecantFilter(decants)}</a>`
  })
  return `<nav class="narrow" aria-label="${DECANT_CHOICE_LABEL}">${links.join('')}</nav>`
}

function formatProduct(found: FoundProduct, isFirst: boolean): string {
  const { link, name, price, available, decants, seller } = found
  return [
    `<li class="found"${available ? ' data-available' : ''}>`,
    `<picture>${formatPhoto(showPhoto(found), isFirst ? '' : ' loading="lazy"')}</picture>`,
    `<div><h2><a href="${escapeHtml(formatCataloguePath(seller.id) + link)}"><bdi>${escapeHtml(name)}</bdi></a></h2>`,
    `<p class="price">${formatPrice(price)}</p>`,
    available ? '' : `<p>${SOLD_OUT}</p>`,
    decants === '' ? '' : `<p>${escapeHtml(decants)}</p>`,
    `<p><bdi>${escapeHtml(seller.name)}</bdi></p></div></li>`,
  ].join('')
}

function showPhoto({ photo, ...found }: FoundProduct): ShownPhoto {
  return { ...found, src: photo, sizes: '' }
}
