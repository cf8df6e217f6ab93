/** Makes an answer of what the shards found. Of all their documents, it parses those that are shown. */
import type { FoundProduct, FoundSeller, Match, SearchAnswer } from '../../domain/pages/found-products.ts'
import { MATCHES } from '../../domain/pages/found-products.ts'
import { compareProducts, compareSellers, MOST_FOUND } from '../../domain/search/search-answer.ts'
import type { FoundDocument, ShardAnswer } from '../../domain/search/search-index.ts'
import type { ProductValue, SellerValue } from './shard-documents.ts'
import { FIRST_UNAVAILABLE } from './shard-documents.ts'

/** Documents whose keys collide stand in any order: some more are read, and the rest is cut off after sorting. */
export const SPARE = 8

/** Misspelt words find only what no shard finds otherwise. */
export function mergeFound(answers: readonly ShardAnswer[]): SearchAnswer {
  const [products, sellers] = [
    answers.flatMap((answer) => answer.products),
    answers.flatMap((answer) => answer.sellers),
  ]
  const isFound = [...products, ...sellers].some(isSpelt)
  const kept = (found: readonly FoundDocument[]): readonly FoundDocument[] =>
    isFound ? found.filter(isSpelt) : found
  return {
    products: cutDocuments(kept(products), MOST_FOUND.products)
      .map(({ match, value }): FoundProduct => ({ match, ...(JSON.parse(value) as ProductValue) }))
      .sort(compareProducts)
      .slice(0, MOST_FOUND.products),
    sellers: cutDocuments(kept(sellers), MOST_FOUND.sellers)
      .map(({ match, value }): FoundSeller => ({ match, ...(JSON.parse(value) as SellerValue) }))
      .sort(compareSellers)
      .slice(0, MOST_FOUND.sellers),
    isMore: kept(products).length > MOST_FOUND.products,
  }
}

/** Returns the best ones in their order: available first, then by match, then by key. */
export function cutDocuments<Found extends { readonly key: number; readonly match: Match }>(
  found: readonly Found[],
  most: number,
): readonly Found[] {
  const isAvailable = ({ key }: Found): number => Number(key < FIRST_UNAVAILABLE)
  const rankMatch = ({ match }: Found): number => MATCHES.indexOf(match)
  return found
    .toSorted((a, b) => isAvailable(b) - isAvailable(a) || rankMatch(a) - rankMatch(b) || a.key - b.key)
    .slice(0, most + SPARE)
}

function isSpelt({ match }: { readonly match: Match }): boolean {
  return match !== 'misspelt'
}
