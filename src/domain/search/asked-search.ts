/** A search of all catalogues: the query, and the decant that the results must have. */
import type { DecantChoice } from '../catalogue/view.ts'
import { DECANT_CHOICES, PARAMETERS, parseChoice } from '../catalogue/view.ts'
import type { SearchAnswer } from './found-products.ts'
import { cleanQuery, formatDecantWord, MAX_QUERY, MAX_QUERY_WORDS, parseQuery } from './words.ts'

export type AskedSearch = {
  /** As `cleanQuery` returns it. */
  readonly query: string
  readonly decants: DecantChoice
}

/** Parses the parameters of a search. An unknown decant becomes `todos`. */
export function parseAsked(parameters: URLSearchParams): AskedSearch {
  return {
    query: cleanQuery(parameters.get(PARAMETERS.query) ?? ''),
    decants: parseChoice(DECANT_CHOICES, parameters.get(PARAMETERS.decants)),
  }
}

/**
 * Returns the query for the search files. If a decant is chosen, adds the word that they have for all products that
 * offer this decant. Does not add it if the query has no words, or if the query would then exceed a limit. Without the word,
 * only `keepOffered` drops products without the decant.
 */
export function addDecants({ query, decants }: AskedSearch): string {
  const added = decants === 'todos' ? '' : `${formatDecantWord(decants)} `
  const count = parseQuery(query).length
  const isFitting = count < MAX_QUERY_WORDS && added.length + query.length <= MAX_QUERY
  return count > 0 && isFitting ? added + query : query
}

/**
 * If a decant is chosen, keeps only products that offer it, and no sellers. The search may find others, because
 * `addDecants` does not add the decant's word to a long query, and because a name may contain that word.
 */
export function keepOffered(answer: SearchAnswer, decants: DecantChoice): SearchAnswer {
  if (decants === 'todos') return answer
  const products = answer.products.filter((product) => product[`_${decants}`].available)
  return { ...answer, products, sellers: [] }
}
