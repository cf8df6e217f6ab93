/** The search, done by looking at every product. Slow, and simple enough to be right. */
import { findMeaning } from '../../../src/domain/catalogue/plain-words.ts'
import { splitNear, splitWord } from '../../../src/domain/search/joined-words.ts'
import { isForgivable, isForgiving, isOneLetterApart } from '../../../src/domain/search/near-words.ts'
import type { Product, ProductSeller } from '../../../src/domain/documents/product.ts'
import type { FoundSeller, Match } from '../../../src/domain/search/found-products.ts'
import { MATCHES } from '../../../src/domain/search/found-products.ts'
import {
  hashPlace,
  MOST_FOUND,
  MOST_OF_SELLER,
  rankPrice,
  rankSeller,
} from '../../../src/domain/search/ranks.ts'
import type { SearchEntry } from '../../../src/domain/search/search-entry.ts'
import type { RankedWords } from '../../../src/domain/search/words.ts'
import { isTypable, parseQuery, rankProduct, rankWords } from '../../../src/domain/search/words.ts'

interface MatchedProduct {
  readonly match: Match
  readonly product: Product
  readonly seller: ProductSeller
}

interface OracleAnswer {
  readonly products: readonly MatchedProduct[]
  readonly sellers: readonly FoundSeller[]
  readonly isMore: boolean
}

export function searchAll(entries: readonly SearchEntry[], query: string): OracleAnswer {
  const words = parseQuery(query)
  if (words.length === 0) return { products: [], sellers: [], isMore: false }
  const spelt = findAll(entries, words, ['whole', 'beginning', 'part'])
  return spelt.products.length + spelt.sellers.length > 0 ? spelt : findAll(entries, words, MATCHES)
}

function findAll(
  entries: readonly SearchEntry[],
  words: readonly string[],
  allowed: readonly Match[],
): OracleAnswer {
  const forSellers = allowed.includes('misspelt') ? allowed : allowed.filter((match) => match !== 'part')
  const products = entries.flatMap(({ seller, products: own }) =>
    own.flatMap(({ product }): readonly MatchedProduct[] =>
      findMatch(rankProduct(product), words, allowed).map((match) => ({ match, product, seller })),
    ),
  )
  const sellers = entries.flatMap(({ seller, products: own }): readonly FoundSeller[] => {
    const available = own.filter(({ product }) => product.available).length
    const { first } = rankWords(seller.name)
    return findMatch({ first, later: [] }, words, forSellers).map((match) => ({
      match,
      ...seller,
      products: own.length,
      available,
    }))
  })
  return {
    products: spreadSellers(products.toSorted(compareProducts)).slice(0, MOST_FOUND.products),
    sellers: sellers.toSorted(compareSellers).slice(0, MOST_FOUND.sellers),
    isMore: products.length > MOST_FOUND.products,
  }
}

/** Available products first, then by match, price and a hash of the ids. */
function compareProducts(a: MatchedProduct, b: MatchedProduct): number {
  const hash = ({ seller, product }: MatchedProduct): number => hashPlace(seller.id, product.id)
  return (
    Number(b.product.available) - Number(a.product.available) ||
    MATCHES.indexOf(a.match) - MATCHES.indexOf(b.match) ||
    rankPrice(a.product) - rankPrice(b.product) ||
    hash(a) - hash(b)
  )
}

/** By match, then by number of products, most first, and a hash of the ids. */
function compareSellers(a: FoundSeller, b: FoundSeller): number {
  return (
    MATCHES.indexOf(a.match) - MATCHES.indexOf(b.match) ||
    rankSeller(a) - rankSeller(b) ||
    hashPlace(a.id) - hashPlace(b.id)
  )
}

/**
 * Moves the products of each seller after the first `MOST_OF_SELLER` to the end. Available and unavailable products are
 * treated as two separate lists.
 */
function spreadSellers(products: readonly MatchedProduct[]): readonly MatchedProduct[] {
  const counts = new Map<string, number>()
  const ranked = products.map((found) => {
    const { product, seller } = found
    const group = `${product.available} ${seller.id}`
    const count = (counts.get(group) ?? 0) + 1
    counts.set(group, count)
    return { found, rank: 2 * Number(!product.available) + Number(count > MOST_OF_SELLER) }
  })
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ found }) => found)
}

/** Returns one match or none. */
function findMatch(own: RankedWords, words: readonly string[], allowed: readonly Match[]): readonly Match[] {
  const found = words.map((word) => findWord(own, word, allowed))
  if (found.includes(null)) return []
  const isMisspelt = allowed.includes('misspelt')
  return [isMisspelt ? 'misspelt' : (MATCHES.findLast((match) => found.includes(match)) ?? 'whole')]
}

function findWord({ first, later }: RankedWords, word: string, allowed: readonly Match[]): Match | null {
  const tests: Readonly<Record<Match, (one: string) => boolean>> = {
    whole: (one) => one === word || one === findMeaning(word),
    beginning: (one) => one.startsWith(word) || one === findMeaning(word),
    part: (one) =>
      word.length >= 3 &&
      findMeaning(word) === undefined &&
      !/[0-9]/.test(word + one) &&
      isTypable(one) &&
      one.includes(word),
    misspelt: (one) => isForgivable(word) && isForgiving(one) && isOneLetterApart(word, one),
  }
  const has = (piece: string): boolean => first.includes(piece)
  const isNear = (piece: string, one: string): boolean =>
    /^[a-z]{4,}$/.test(one) && isOneLetterApart(piece, one)
  const others: Readonly<Partial<Record<Match, () => boolean>>> = {
    part: () => later.some((one) => one.startsWith(word)) || splitWord(word, has).length > 0,
    misspelt: () => splitNear(word, has).some(({ other }) => first.some((one) => isNear(other, one))),
  }
  return allowed.find((match) => first.some(tests[match]) || others[match]?.() === true) ?? null
}
