/** A search of all catalogues: the query, and the decant that the results must have. */
import type { DecantChoice } from '../catalogue/view.ts'
import { DECANT_CHOICES, PARAMETERS, parseChoice } from '../catalogue/view.ts'
import type { SearchAnswer } from '../pages/found-products.ts'
import { cleanQuery } from './words.ts'

export type AskedSearch = {
  /** As `cleanQuery` returns it. */
  readonly query: string
  readonly decants: DecantChoice
}

/** Parses the parameters of a search. An unknown decant means all. */
export function parseAsked(parameters: URLSearchParams): AskedSearch {
  return {
    query: cleanQuery(parameters.get(PARAMETERS.query) ?? ''),
    decants: parseChoice(DECANT_CHOICES, parameters.get(PARAMETERS.decants)),
  }
}

/**
 * Returns the query for the index. It includes the words of the chosen decant, because a product is indexed with the
 * words of the decants that it offers.
 */
export function addDecants({ query, decants }: AskedSearch): string {
  return decants === 'todos' ? query : `decant ${decants} ${query}`
}

/** Drops products that have the decant's words only in their name, and do not offer the decant. */
export function keepOffered(answer: SearchAnswer, decants: DecantChoice): SearchAnswer {
  if (decants === 'todos') return answer
  return { ...answer, products: answer.products.filter(({ product }) => product[`_${decants}`].available) }
}
