/** The search, done by looking at every product. Slow, and simple enough to be right. */
import { findMeaning } from '../../../src/domain/catalogue/plain-words.ts'
import type { DecantChoice } from '../../../src/domain/catalogue/view.ts'
import type { Product, ProductSeller } from '../../../src/domain/documents/product.ts'
import type { SearchEntry } from '../../../src/domain/search/format-search-file.ts'
import { hashPlace, rankPrice } from '../../../src/domain/search/format-search-file.ts'
import { MOST_OF_SELLER } from '../../../src/domain/search/scan-files.ts'
import type { FoundSeller } from '../../../src/domain/search/search-card.ts'
import { MOST_FOUND } from '../../../src/domain/search/search-files.ts'
import type { Match } from '../../../src/domain/search/word-forms.ts'
import { listNear, splitWord } from '../../../src/domain/search/word-forms.ts'
import { listProductWords, listWords, parseQuery } from '../../../src/domain/search/words.ts'

interface MatchedProduct {
  /** A smaller number is better. */
  readonly match: number
  readonly product: Product
  readonly seller: ProductSeller
}

interface OracleAnswer {
  readonly products: readonly MatchedProduct[]
  readonly sellers: readonly FoundSeller[]
  readonly isMore: boolean
  readonly isNear: boolean
}

export function searchAll(
  entries: readonly SearchEntry[],
  query: string,
  decants: DecantChoice,
): OracleAnswer {
  const words = parseQuery(query)
  if (words.length === 0) return { products: [], sellers: [], isMore: false, isNear: false }
  const find = (forProducts: readonly Match[], forSellers: readonly Match[]): OracleAnswer => {
    const products = entries.flatMap(({ seller, name, products: own }) =>
      own
        .filter((product) => decants === 'todos' || product[`_${decants}`].available)
        .map((product) => ({
          match: findMatch(listProductWords(product), words, forProducts),
          product,
          seller: { id: seller, name },
        }))
        .filter(({ match }) => match !== -1),
    )
    const sellers = entries
      .map(({ seller, name, products: own }) => ({
        match: decants === 'todos' ? findMatch(listWords(name), words, forSellers) : -1,
        seller: { id: seller, name, products: own.length },
      }))
      .filter(({ match }) => match !== -1)
      .sort((a, b) => a.match - b.match || compareSellers(a.seller, b.seller))
    return {
      products: spreadSellers(products.toSorted(compareProducts)).slice(0, MOST_FOUND.products),
      sellers: sellers.slice(0, MOST_FOUND.sellers).map(({ seller }) => seller),
      isMore: products.length > MOST_FOUND.products,
      isNear: forProducts.includes('misspelt'),
    }
  }
  const spelt = find(['whole', 'beginning', 'part'], ['whole', 'beginning'])
  return spelt.products.length + spelt.sellers.length > 0 ? spelt : find(['misspelt'], ['misspelt'])
}

/** Available products first, then by match, price and a hash of the ids. */
function compareProducts(a: MatchedProduct, b: MatchedProduct): number {
  const hash = ({ seller, product }: MatchedProduct): number => hashPlace(`${seller.id}/${product.id}`)
  return (
    Number(b.product.available) - Number(a.product.available) ||
    a.match - b.match ||
    rankPrice(a.product) - rankPrice(b.product) ||
    hash(a) - hash(b)
  )
}

/** By number of products, most first, and a hash of the ids. */
function compareSellers(a: FoundSeller, b: FoundSeller): number {
  return b.products - a.products || hashPlace(a.id) - hashPlace(b.id)
}

/**
 * Moves the products of each seller that match equally well, after the first `MOST_OF_SELLER`, behind those of others.
 */
function spreadSellers(products: readonly MatchedProduct[]): readonly MatchedProduct[] {
  const counts = new Map<string, number>()
  const ranked = products.map((found) => {
    const { product, seller, match } = found
    const group = `${match} ${seller.id}`
    const count = (counts.get(group) ?? 0) + 1
    counts.set(group, count)
    return { found, rank: 2 * Number(!product.available) + Number(count > MOST_OF_SELLER) }
  })
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ found }) => found)
}

/** Returns the place of the best match in `allowed`; -1 for none. */
function findMatch(own: readonly string[], words: readonly string[], allowed: readonly Match[]): number {
  return allowed.findIndex((match) => words.every((word) => TESTS[match](own, word)))
}

type Test = (own: readonly string[], word: string) => boolean

/** Each is true if the one before it is. */
const TESTS: Readonly<Record<Match, Test>> = {
  whole: (own, word) => own.some((one) => one === word || one === findMeaning(word)),
  beginning: (own, word) => own.some((one) => one.startsWith(word)) || TESTS.whole(own, word),
  part: (own, word) => {
    const hasParts = word.length >= 3 && findMeaning(word) === undefined && !/[0-9]/.test(word)
    const isInside = hasParts && own.some((one) => one.includes(word))
    return isInside || TESTS.beginning(own, word) || splitWord(word, new Set(own)).length > 0
  },
  misspelt: (own, word) => {
    const known = new Set(own.filter((one) => /^[a-z]+$/.test(one)))
    return TESTS.part(own, word) || listNear(word, known).length > 0
  },
}

export const NO_DECANT = { price: null, available: false }

export function createProduct(id: string, name: string, parts: Partial<Product> = {}): Product {
  return { id, name, photo: null, price: 1_000, available: true, _5ml: NO_DECANT, _10ml: NO_DECANT, ...parts }
}

export function createEntry(id: string, name: string, products: readonly Product[]): SearchEntry {
  return { seller: id, name, products, photos: new Map() }
}
