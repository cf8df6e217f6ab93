/** The search of all catalogues: finds products and sellers in the search files of a site. */
import type { FoundProduct, FoundSeller, Match, SearchAnswer } from './found-products.ts'
import { MATCHES } from './found-products.ts'
import { openNeedles } from './needles.ts'
import { MOST_FOUND } from './ranks.ts'
import type { Hit, Section } from './scan-files.ts'
import { findHits } from './scan-files.ts'
import { parseCard } from './search-card.ts'
import type { SearchFile } from './search-file.ts'
import { parseNumber, readLine, readSellerFacts } from './search-file.ts'
import { parseQuery } from './words.ts'

export type Search = (query: string) => SearchAnswer

/** The worst match that counts, as an index of `MATCHES`, for a query without misspelt words. */
const WORST: Readonly<Record<Section, number>> = {
  available: MATCHES.indexOf('part'),
  soldOut: MATCHES.indexOf('part'),
  sellers: MATCHES.indexOf('beginning'),
}

/** `files` are all search files of a site. */
export function openSearchFiles(files: readonly SearchFile[]): Search {
  const needles = openNeedles(files)
  return (query) => {
    const words = parseQuery(query)
    if (words.length === 0) return { products: [], sellers: [], isMore: false }
    const listNeedles = needles()
    const find = (isForgiven: boolean): SearchAnswer => {
      const findIn = (section: Section, most: number): readonly Hit[] =>
        findHits(files, {
          words,
          section,
          limit: isForgiven ? MATCHES.indexOf('misspelt') : WORST[section],
          most,
          isForgiven,
          listNeedles,
        })
      const most = MOST_FOUND.products + 1
      const available = findIn('available', most)
      const products =
        available.length < most ? [...available, ...findIn('soldOut', most - available.length)] : available
      return {
        products: products.slice(0, MOST_FOUND.products).map((hit, index) => ({
          ...openProduct(hit),
          available: index < available.length,
        })),
        sellers: findIn('sellers', MOST_FOUND.sellers).map(openSeller),
        isMore: products.length === most,
      }
    }
    const spelt = find(false)
    return spelt.products.length + spelt.sellers.length > 0 ? spelt : find(true)
  }
}

function openProduct({ file, match, rest }: Hit): Omit<FoundProduct, 'available'> {
  const [seller = 0, card = 0] = rest.split(' ').map(parseNumber)
  const { id, name } = readSellerFacts(file, seller)
  return {
    ...parseCard(readLine(file.cards, card)),
    match: findMatch(match),
    seller: { id, name },
  }
}

function openSeller({ match, rest }: Hit): FoundSeller {
  const [id, name, products, available] = JSON.parse(rest)
  return { id, name, products, available, match: findMatch(match) }
}

function findMatch(index: number): Match {
  return MATCHES[index] ?? 'whole'
}
