/** Writes search files: see search-file.ts. */
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { PageSwitches } from '../documents/page-switches.ts'
import { isPayable, MAX_PRICE } from '../documents/price.ts'
import type { Product } from '../documents/product.ts'
import { escapeAscii } from '../documents/escape.ts'
import type { CataloguePictures } from '../photos/picture.ts'
import { formatCard } from './search-card.ts'
import { END, FORMAT, SOLD_OUT_KEY } from './search-file.ts'
import { listProductWords, listWords } from './words.ts'

/** Max distinct words of a seller that can be found if they are misspelt, or written together. */
const MAX_SELLER_WORDS = 500
/** A key has the hash of an id below its rank, so that products of the same price have no order of sellers. */
const HASHES = 2 ** 18

export type SearchEntry = Pick<Catalogue, 'seller' | 'name' | 'products'> & Pick<CataloguePictures, 'photos'>

interface Line {
  /** A smaller key is better. */
  readonly key: number
  readonly words: readonly string[]
  /** The places of the cards of the seller and of what is found. */
  readonly places: string
}

/**
 * Returns the same text for the same entries in any order. Leaves out sellers without products. `files` is the number
 * of the site's search files.
 */
export function formatSearchFile(
  entries: readonly SearchEntry[],
  files: number,
  switches: PageSwitches,
): string {
  let cards = ''
  const place = (card: string): string => {
    const start = formatNumber(cards.length)
    cards += `${escapeAscii(card)}\n`
    return start
  }
  const listed = entries
    .filter(({ products }) => products.length > 0)
    .toSorted((a, b) => (a.seller < b.seller ? -1 : 1))
    .map((entry) => createLines(entry, switches, place))
  const sellers = formatLines(listed.flatMap((lines) => lines.slice(0, 1)))
  const products = formatLines(listed.flatMap((lines) => lines.slice(1)))
  return [FORMAT, files, formatWords(listed), sellers, products, cards, ''].join(END)
}

/** Returns the line of the seller and those of her products. `place` keeps a card and returns its place. */
function createLines(
  { seller, name, products, photos }: SearchEntry,
  switches: PageSwitches,
  place: (card: string) => string,
): readonly Line[] {
  const own = place(JSON.stringify([seller, name, products.length]))
  const key = createKey(MAX_PRICE - products.length, seller)
  const lines = products.map((product): Line => {
    const picture = photos.get(product.photo ?? '') ?? null
    return {
      key: (product.available ? 0 : SOLD_OUT_KEY) + createKey(rankPrice(product), `${seller}/${product.id}`),
      words: listProductWords(product),
      places: `${own} ${place(formatCard(product, picture, { seller, switches }))}`,
    }
  })
  return [{ key, words: listWords(name), places: `${own} ${own}` }, ...lines]
}

/** Returns the words of all sellers; in a second line, those that are among the most frequent ones of no seller. */
function formatWords(listed: readonly (readonly Line[])[]): string {
  const lists = listed.map((lines) => lines.flatMap(({ words }) => words))
  const known = new Set(lists.flatMap((words) => sortWords(words).slice(0, MAX_SELLER_WORDS)))
  const sorted = sortWords(lists.flat())
  const rare = sorted.filter((word) => !known.has(word))
  return `${joinWords(sorted.filter((word) => known.has(word)))}\n${joinWords(rare)}`
}

/** Returns the distinct words, the most frequent first. */
function sortWords(words: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([word]) => word)
}

/** Returns the price in whole pesos; more than any price if there is none, or if it rounds to 0. */
export function rankPrice({ price }: Pick<Product, 'price'>): number {
  return isPayable(price) ? Math.floor(price) : MAX_PRICE + 1
}

function createKey(rank: number, id: string): number {
  return rank * HASHES + hashPlace(id)
}

/** Returns the FNV-1a hash of an id, as a number below `HASHES`. */
export function hashPlace(id: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < id.length; index += 1) hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193)
  return (hash ^ (hash >>> 18)) & (HASHES - 1)
}

function formatLines(lines: readonly Line[]): string {
  return lines
    .toSorted((a, b) => a.key - b.key)
    .map(({ words, key, places }) => `${joinWords(words)}\t${formatNumber(key)} ${places}\n`)
    .join('')
}

function joinWords(words: readonly string[]): string {
  return escapeAscii(` ${words.join(' ')} `)
}

/** In capital letters, so that words, which have none, are not found in numbers. */
function formatNumber(number: number): string {
  return number.toString(36).toUpperCase()
}
