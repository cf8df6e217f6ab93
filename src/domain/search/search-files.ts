/**
 * The search of all catalogues: finds products and sellers in the search files of a site. It looks for whole words
 * first, then for beginnings, then for parts, and for misspelt words only if that finds nothing.
 */
import type { View } from '../catalogue/view.ts'
import { parseView } from '../catalogue/view.ts'
import { escapeAscii } from '../documents/escape.ts'
import type { ProductSeller } from '../documents/product.ts'
import type { Hit, Query, Words } from './scan-files.ts'
import { findHits } from './scan-files.ts'
import type { FoundSeller, SearchCard } from './search-card.ts'
import { readCard, readSeller } from './search-card.ts'
import type { SearchFile } from './search-file.ts'
import type { Match, Vocabulary } from './word-forms.ts'
import { listForms } from './word-forms.ts'
import { cleanQuery, markDecant, parseQuery } from './words.ts'

/** Max results of each kind. */
export const MOST_FOUND = { products: 30, sellers: 6 } as const

/** The query as `cleanQuery` returns it, and the decant that the found products must offer. */
export type AskedSearch = Pick<View, 'query' | 'decants'>

export interface FoundProduct extends SearchCard {
  readonly seller: ProductSeller
}

export interface SearchAnswer {
  /**
   * Available products first, then by match, then by price; but a seller's products beyond the first few come after
   * those of other sellers.
   */
  readonly products: readonly FoundProduct[]
  /** By match, then by number of products, most first. None if a decant is asked for. */
  readonly sellers: readonly FoundSeller[]
  /** True if the search found more products than fit into `products`. */
  readonly isMore: boolean
  /** True if a word of the query is misspelt. */
  readonly isNear: boolean
}

export type Search = (asked: AskedSearch) => SearchAnswer

/** Parses the query string of an address. An unknown decant becomes `todos`. */
export function parseAsked(search: string): AskedSearch {
  const { query, decants } = parseView(search)
  return { query: cleanQuery(query), decants }
}

/** `files` are all search files of a site. */
export function openSearchFiles(files: readonly SearchFile[]): Search {
  const known = countFiles(files)
  return ({ query, decants }) => {
    const words = parseQuery(query)
    if (words.length === 0) return { products: [], sellers: [], isMore: false, isNear: false }
    const marks = decants === 'todos' ? [] : [[[` ${markDecant(decants)} `]]]
    const listWords = (match: Match): Words => [
      ...marks,
      ...words.map((word) => listForms(word, match, known).map((form) => form.map(escapeAscii))),
    ]
    const find = (forProducts: readonly Match[], forSellers: readonly Match[]): SearchAnswer => {
      const findIn = (section: Query['section'], allowed: readonly Match[], most: number): readonly Hit[] =>
        findHits(files, { section, matches: allowed.map(listWords), most })
      const products = findIn('products', forProducts, MOST_FOUND.products + 1)
      const sellers = decants === 'todos' ? findIn('sellers', forSellers, MOST_FOUND.sellers) : []
      return {
        products: products.slice(0, MOST_FOUND.products).map(readProduct),
        sellers: sellers.map(({ file, seller }) => readSeller(file.cards, seller)),
        isMore: products.length > MOST_FOUND.products,
        isNear: forProducts.includes('misspelt'),
      }
    }
    // A seller is not found by a part of a name, unless a word is misspelt.
    const answer = find(['whole', 'beginning', 'part'], ['whole', 'beginning'])
    if (answer.products.length + answer.sellers.length > 0) return answer
    return find(['misspelt'], ['misspelt'])
  }
}

function countFiles(files: readonly SearchFile[]): Vocabulary {
  const counts = new Map<string, number>()
  for (const { words } of files)
    for (const word of words.slice(0, words.indexOf('\n')).split(' '))
      if (/^[a-z]+$/.test(word)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

function readProduct({ file, seller, card }: Hit): FoundProduct {
  const { id, name } = readSeller(file.cards, seller)
  return { ...readCard(file.cards, card), seller: { id, name } }
}
