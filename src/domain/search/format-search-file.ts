/** Writes search files: see search-file.ts. */
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { PageSwitches } from '../documents/page-switches.ts'
import { isPayable, MAX_PRICE } from '../documents/price.ts'
import type { Product } from '../documents/product.ts'
import { formatDecants } from '../messages.ts'
import { formatCataloguePath, formatProductLink, NO_PHOTO } from '../pages/paths.ts'
import type { CataloguePictures, Picture } from '../photos/picture.ts'
import type { PackedCard, SearchFile } from './search-file.ts'
import { escapeText, FORMAT, formatSource, HASH_BITS, SECTIONS, SOLD_OUT_KEY } from './search-file.ts'
import { listProductWords, listWords } from './words.ts'

/** Max distinct words of a seller that can be found if they are misspelt, or written together. */
const MAX_SELLER_WORDS = 500
/** Max names whose words are kept, because many sellers have the same products. */
const MOST_KEPT = 10_000

export type SearchEntry = Pick<Catalogue, 'seller' | 'name' | 'products'> & Pick<CataloguePictures, 'photos'>

interface FormatOptions {
  /** Number of the site's search files. */
  readonly files: number
  readonly switches: PageSwitches
}

interface Line {
  /** A smaller key is better. */
  readonly key: number
  readonly id: string
  readonly words: readonly string[]
}

interface SellerLine extends Line {
  readonly facts: string
  readonly products: readonly ProductLine[]
}

interface ProductLine extends Line {
  readonly seller: string
  readonly card: string
}

/** Returns the same text for the same entries in any order. Leaves out sellers without products. */
export function formatSearchFile(entries: Iterable<SearchEntry>, { files, switches }: FormatOptions): string {
  const listed = [...entries].filter(({ products }) => products.length > 0)
  const sellers = sortLines(listed.map((entry) => createSellerLine(entry, switches)))
  const products = sortLines(sellers.flatMap((seller) => seller.products))
  const counts = sellers.map(countWords)
  const sellerLines = sellers.map((seller) => formatLine(seller, seller.facts))
  const cards = products.map(({ card }) => card)
  const places = placeLines(sellerLines)
  const sellerPlaces = new Map(sellers.map(({ id }, index) => [id, places[index]]))
  const cardPlaces = placeLines(cards)
  const productLines = products.map((product, index) =>
    formatLine(product, `${sellerPlaces.get(product.seller)} ${cardPlaces[index]}`),
  )
  const sections: Pick<SearchFile, (typeof SECTIONS)[number]> = {
    words: `${formatWords(mergeCounts(counts))}\n`,
    sellers: sellerLines.join(''),
    products: productLines.join(''),
    cards: cards.join(''),
  }
  const isWhole = counts.every(({ size }) => size <= MAX_SELLER_WORDS)
  const lengths = SECTIONS.map((name) => sections[name].length)
  const head = [FORMAT, files, Number(isWhole), ...lengths].join(' ')
  return [`${head}\n`, ...SECTIONS.map((name) => sections[name])].join('')
}

/** Returns how many names of the seller have each word. */
function countWords({ words, products }: SellerLine): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const word of [words, ...products.map((one) => one.words)].flat())
    counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** Returns the words of all sellers, the most frequent first; the most frequent ones of each seller. */
function mergeCounts(counts: readonly ReadonlyMap<string, number>[]): readonly string[] {
  const merged = new Map<string, number>()
  for (const own of counts)
    for (const word of sortWords(own).slice(0, MAX_SELLER_WORDS))
      merged.set(word, (merged.get(word) ?? 0) + (own.get(word) ?? 0))
  return sortWords(merged)
}

function sortWords(counts: ReadonlyMap<string, number>): readonly string[] {
  return [...counts].sort(([a, x], [b, y]) => y - x || compareTexts(a, b)).map(([word]) => word)
}

function createSellerLine(
  { seller, name, products, photos }: SearchEntry,
  switches: PageSwitches,
): SellerLine {
  return {
    id: seller,
    key: createKey(MAX_PRICE - products.length, seller),
    words: listWords(name),
    facts: escapeText(JSON.stringify([seller, name, products.length])),
    products: products.map((product) => ({
      seller,
      id: `${seller}/${product.id}`,
      key: (product.available ? 0 : SOLD_OUT_KEY) + createKey(rankPrice(product), `${seller}/${product.id}`),
      words: listProductWords(product, listWordsOnce(product.name)),
      card: `${escapeText(formatCard(product, photos.get(product.photo ?? '') ?? null, { seller, switches }))}\n`,
    })),
  }
}

const kept = new Map<string, readonly string[]>()

function listWordsOnce(name: string): readonly string[] {
  const words = kept.get(name) ?? listWords(name)
  if (kept.size === MOST_KEPT) kept.clear()
  kept.set(name, words)
  return words
}

function formatCard(
  product: Product,
  picture: Picture | null,
  { seller, switches }: { readonly seller: string; readonly switches: PageSwitches },
): string {
  const link = formatProductLink(switches, seller, product.id).slice(formatCataloguePath(seller).length)
  const photo = findListedPhoto(product, picture)
  const { name, price, available } = product
  const facts = [link, name, price, available, formatDecants(product), photo] as const
  const card: PackedCard =
    picture === null
      ? facts
      : picture.type === null
        ? [...facts, null]
        : [...facts, picture.type, formatSource(picture), picture.tone]
  return JSON.stringify(card)
}

/**
 * Returns the address of a product's photo for a list of many sellers. A photo without a picture is shown only if it is
 * on the site itself: a seller who controls the photo's host could otherwise learn who searches for what.
 */
function findListedPhoto({ photo }: Product, picture: Picture | null): string {
  if (picture?.fallback !== undefined) return `/${picture.fallback}`
  return picture !== null || photo?.startsWith('/') === true ? (photo ?? NO_PHOTO) : NO_PHOTO
}

/**
 * Returns the price in whole pesos. For products without a price, or with one that rounds to 0, returns more than any
 * price, so that they come last.
 */
export function rankPrice({ price }: Pick<Product, 'price'>): number {
  return isPayable(price) ? Math.floor(price) : MAX_PRICE + 1
}

function createKey(rank: number, id: string): number {
  return rank * 2 ** HASH_BITS + hashPlace(id)
}

/** Returns the FNV-1a hash of an id, shortened to `HASH_BITS` bits. */
export function hashPlace(id: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < id.length; index += 1) hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193)
  return (hash ^ (hash >>> HASH_BITS)) & (2 ** HASH_BITS - 1)
}

function sortLines<L extends Line>(lines: readonly L[]): readonly L[] {
  return lines.toSorted((a, b) => a.key - b.key || compareTexts(a.id, b.id))
}

/** Returns the place of each line in the text of all lines. */
function placeLines(lines: readonly string[]): readonly string[] {
  let end = 0
  return lines.map((line) => formatNumber((end += line.length) - line.length))
}

function formatLine({ words, key }: Line, rest: string): string {
  return `${formatWords(words)}\t${formatNumber(key)} ${rest}\n`
}

function formatWords(words: readonly string[]): string {
  return escapeText(` ${words.join(' ')} `)
}

/** In capital letters, so that words, which have none, are not found in numbers. */
function formatNumber(number: number): string {
  return number.toString(36).toUpperCase()
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
