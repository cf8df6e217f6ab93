/** Writes search files: see search-file.ts. */
import type { PageSwitches } from '../documents/page-switches.ts'
import { hashPlace, HASHES, rankPrice, rankSeller } from './ranks.ts'
import { formatCard } from './search-card.ts'
import type { SearchEntry, SearchProduct } from './search-entry.ts'
import { escapeText, FORMAT, LATER_MARK, SECTIONS } from './search-file.ts'
import type { RankedWords } from './words.ts'
import { rankProduct, rankWords } from './words.ts'

/** Max distinct words of a seller that can be found if they are misspelt, or written together. */
const MAX_SELLER_WORDS = 500

/** Max names whose words are kept, because many sellers have the same products. */
const MOST_KEPT = 10_000
const kept = new Map<string, RankedWords>()

function rankName(name: string): RankedWords {
  const known = kept.get(name)
  if (known !== undefined) return known
  if (kept.size === MOST_KEPT) kept.clear()
  const words = rankWords(name)
  kept.set(name, words)
  return words
}

interface FormatOptions {
  /** Number of the site's search files. */
  readonly files: number
  readonly switches: PageSwitches
}

/** Returns the same text for the same entries in any order. An entry has at least one product. */
export function formatSearchFile(entries: Iterable<SearchEntry>, { files, switches }: FormatOptions): string {
  const words = new Map<string, number>()
  const sellers: SellerLine[] = []
  for (const entry of entries) {
    const own = createSellerLine(entry, switches)
    for (const [word, count] of own.words) words.set(word, (words.get(word) ?? 0) + count)
    sellers.push(own)
  }
  sellers.sort((a, b) => a.key - b.key || compareTexts(a.id, b.id))
  const places = placeLines(sellers.map(({ line }) => line))
  const products = sellers.flatMap((seller, index) =>
    seller.products.map((product) => ({ ...product, place: places[index] ?? 0 })),
  )
  products.sort((a, b) => a.key - b.key || compareTexts(a.id, b.id))
  const cards = products.map(({ card }) => `${card}\n`)
  const cardPlaces = placeLines(cards)
  const lists: Record<'available' | 'soldOut', string[]> = { available: [], soldOut: [] }
  for (const [index, { isAvailable, words: own, key, place }] of products.entries())
    lists[isAvailable ? 'available' : 'soldOut'].push(
      `${own}\t${formatNumber(key)} ${formatNumber(place)} ${formatNumber(cardPlaces[index] ?? 0)}\n`,
    )
  const sections: Record<(typeof SECTIONS)[number], string> = {
    words: ` ${sortWords(words)
      .map((word) => `${escapeText(word)} `)
      .join('')}\n`,
    sellers: sellers.map(({ line }) => line).join(''),
    available: lists.available.join(''),
    soldOut: lists.soldOut.join(''),
    cards: cards.join(''),
  }
  const lengths = SECTIONS.map((name) => sections[name].length)
  const isWhole = sellers.every((seller) => seller.isWhole)
  return `${[FORMAT, files, Number(isWhole), ...lengths].join(' ')}\n${SECTIONS.map((name) => sections[name]).join('')}`
}

interface SellerLine {
  readonly id: string
  readonly key: number
  readonly line: string
  /** True if `words` has all her words. */
  readonly isWhole: boolean
  /** The most frequent words, and how many names have them. */
  readonly words: readonly (readonly [word: string, count: number])[]
  readonly products: readonly ProductLine[]
}

interface ProductLine {
  readonly id: string
  readonly key: number
  readonly isAvailable: boolean
  readonly words: string
  readonly card: string
}

function createSellerLine({ seller, products }: SearchEntry, switches: PageSwitches): SellerLine {
  const available = products.filter(({ product }) => product.available).length
  const key = rankSeller({ products: products.length }) * HASHES + hashPlace(seller.id)
  const own = rankWords(seller.name)
  const facts = escapeText(JSON.stringify([seller.id, seller.name, products.length, available]))
  const counts = new Map<string, number>()
  const count = ({ first, later }: RankedWords): void => {
    for (const word of [...first, ...later]) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  count(own)
  const lines = products.map((one): ProductLine => {
    const words = rankProduct(one.product, rankName(one.product.name))
    count(words)
    return createProductLine(one, { words, seller: seller.id, switches })
  })
  return {
    id: seller.id,
    key,
    line: `${formatWords({ first: own.first, later: [] })}\t${formatNumber(key)} ${facts}\n`,
    isWhole: counts.size <= MAX_SELLER_WORDS,
    words: sortWords(counts)
      .slice(0, MAX_SELLER_WORDS)
      .map((word) => [word, counts.get(word) ?? 0]),
    products: lines,
  }
}

interface ProductOptions {
  readonly words: RankedWords
  readonly seller: string
  readonly switches: PageSwitches
}

function createProductLine(one: SearchProduct, { words, seller, switches }: ProductOptions): ProductLine {
  const { product } = one
  return {
    id: `${seller}/${product.id}`,
    key: rankPrice(product) * HASHES + hashPlace(seller, product.id),
    isAvailable: product.available,
    words: formatWords(words),
    card: escapeText(formatCard(one, seller, switches)),
  }
}

function formatWords({ first, later }: RankedWords): string {
  return escapeText(` ${[...first, ...later.map((word) => LATER_MARK + word)].join(' ')} `)
}

/** The most frequent words first. */
function sortWords(counts: ReadonlyMap<string, number>): readonly string[] {
  return [...counts].sort(([a, x], [b, y]) => y - x || compareTexts(a, b)).map(([word]) => word)
}

/** Returns the place of each line in the text of all lines. */
function placeLines(lines: readonly string[]): readonly number[] {
  let end = 0
  return lines.map((line) => {
    const start = end
    end += line.length
    return start
  })
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** In capital letters, so that words, which have none, are seldom found in numbers. */
function formatNumber(number: number): string {
  return number.toString(36).toUpperCase()
}
