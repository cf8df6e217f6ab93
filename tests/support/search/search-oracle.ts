/** The search, done by looking at every product. Slow, and simple enough to be right. */
import { findMeaning } from '../../../src/domain/catalogue/plain-words.ts'
import { splitNear, splitWord } from '../../../src/domain/search/joined-words.ts'
import { isForgivable, isForgiving, isOneLetterApart } from '../../../src/domain/search/near-words.ts'
import type {
  FoundProduct,
  FoundSeller,
  Match,
  SearchAnswer,
} from '../../../src/domain/pages/found-products.ts'
import { MATCHES } from '../../../src/domain/pages/found-products.ts'
import {
  compareProducts,
  compareSellers,
  MOST_FOUND,
  spreadSellers,
} from '../../../src/domain/search/search-answer.ts'
import type { SearchEntry } from '../../../src/domain/search/search-entry.ts'
import type { RankedWords } from '../../../src/domain/search/words.ts'
import { isTypable, parseQuery, rankProduct, rankWords } from '../../../src/domain/search/words.ts'

export function searchAll(entries: readonly SearchEntry[], query: string): SearchAnswer {
  const words = parseQuery(query)
  if (words.length === 0) return { products: [], sellers: [], isMore: false }
  const spelt = findAll(entries, words, ['whole', 'beginning', 'part'])
  return spelt.products.length + spelt.sellers.length > 0 ? spelt : findAll(entries, words, MATCHES)
}

function findAll(
  entries: readonly SearchEntry[],
  words: readonly string[],
  allowed: readonly Match[],
): SearchAnswer {
  const forSellers = allowed.includes('misspelt') ? allowed : allowed.filter((match) => match !== 'part')
  const products = entries.flatMap(({ seller, products: own }) =>
    own.flatMap(({ product, picture }): readonly FoundProduct[] =>
      findMatch(rankProduct(product), words, allowed).map((match) => ({
        match,
        product,
        picture,
        seller,
      })),
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
