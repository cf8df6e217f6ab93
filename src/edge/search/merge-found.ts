/** Merges the matches of the shards into an answer. Parses only the documents that are shown. */
import type { FoundProduct, FoundSeller, Match, SearchAnswer } from '../../domain/pages/found-products.ts'
import { MATCHES } from '../../domain/pages/found-products.ts'
import { MOST_FOUND } from '../../domain/search/search-answer.ts'
import type { FoundDocument, ShardAnswer } from '../../domain/search/search-index.ts'
import type { ProductValue, SellerValue } from './shard-documents.ts'
import { FIRST_UNAVAILABLE } from './shard-documents.ts'

/** Results for misspelt words are dropped if any shard has a result for the words as typed. */
export function mergeFound(answers: readonly ShardAnswer[]): SearchAnswer {
  const [products, sellers] = [
    answers.flatMap((answer) => answer.products),
    answers.flatMap((answer) => answer.sellers),
  ]
  const isFound = [...products, ...sellers].some(isSpelt)
  const kept = (found: readonly FoundDocument[]): readonly FoundDocument[] =>
    isFound ? found.filter(isSpelt) : found
  return {
    products: cutDocuments(kept(products), MOST_FOUND.products).map(({ match, value }): FoundProduct => ({
      match,
      ...(JSON.parse(value) as ProductValue),
    })),
    sellers: cutDocuments(kept(sellers), MOST_FOUND.sellers).map(({ match, value }): FoundSeller => ({
      match,
      ...(JSON.parse(value) as SellerValue),
    })),
    isMore: kept(products).length > MOST_FOUND.products,
  }
}

type Ranked = Pick<FoundDocument, 'key' | 'match'> & Partial<Pick<FoundDocument, 'isRest'>>

/** Returns the best `most` documents: available ones first, then those without `isRest`, then by match and key. */
export function cutDocuments<Found extends Ranked>(found: readonly Found[], most: number): readonly Found[] {
  const isLate = ({ key }: Found): number => Number(key >= FIRST_UNAVAILABLE)
  const isRest = (one: Found): number => Number(one.isRest ?? false)
  const rankMatch = ({ match }: { readonly match: Match }): number => MATCHES.indexOf(match)
  return found
    .toSorted(
      (a, b) =>
        isLate(a) - isLate(b) || isRest(a) - isRest(b) || rankMatch(a) - rankMatch(b) || a.key - b.key,
    )
    .slice(0, most)
}

function isSpelt({ match }: { readonly match: Match }): boolean {
  return match !== 'misspelt'
}
