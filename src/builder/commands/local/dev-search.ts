/**
 * The search of the development server. Has no index: compares every product with the query, and tolerates no
 * misspelling.
 */
import { createNaturalSearch } from '../../../domain/catalogue/natural-search.ts'
import { createSearchText } from '../../../domain/catalogue/search.ts'
import { readOffered } from '../../../domain/catalogue/view.ts'
import type { Product } from '../../../domain/documents/product.ts'
import type { FoundProduct, FoundSeller, SearchAnswer } from '../../../domain/pages/found-products.ts'
import type { AskedSearch } from '../../../domain/search/asked-search.ts'
import { keepOffered } from '../../../domain/search/asked-search.ts'
import {
  compareProducts,
  compareSellers,
  MOST_FOUND,
  NOTHING_FOUND,
  spreadSellers,
} from '../../../domain/search/search-answer.ts'
import type { SearchEntry } from '../../../domain/search/search-entry.ts'
import { parseQuery } from '../../../domain/search/words.ts'
import type { Snapshot } from '../../state/snapshot/snapshot.ts'

export function searchSnapshot(
  snapshot: Pick<Snapshot, 'readSellers' | 'readCatalogue'>,
  asked: AskedSearch,
): SearchAnswer {
  const words = parseQuery(asked.query)
  if (words.length === 0) return NOTHING_FOUND
  const entries = Array.from(snapshot.readSellers(), (seller) => readEntry(snapshot, seller)).filter(
    (entry) => entry.products.length > 0,
  )
  const isNamed = createNaturalSearch(words.join(' '))
  const isFound = (product: Product): boolean =>
    (asked.decants === 'todos' || product[`_${asked.decants}`].available) &&
    isNamed({ text: createSearchText(product.name), ...readOffered(product) })
  const products = entries.flatMap(({ seller, products: own }) =>
    own
      .filter(({ product }) => isFound(product))
      .map((one): FoundProduct => ({ ...one, seller, match: 'part' })),
  )
  const sellers = entries
    .filter(({ seller }) => isNamed({ text: createSearchText(seller.name) }))
    .map(describeSeller)
  const answer = {
    products: spreadSellers(products.toSorted(compareProducts)).slice(0, MOST_FOUND.products),
    sellers: sellers.toSorted(compareSellers).slice(0, MOST_FOUND.sellers),
    isMore: products.length > MOST_FOUND.products,
  }
  return keepOffered(answer, asked.decants)
}

function readEntry({ readCatalogue }: Pick<Snapshot, 'readCatalogue'>, id: string): SearchEntry {
  const catalogue = readCatalogue(id)
  return {
    seller: { id, name: catalogue?.name ?? '' },
    products: (catalogue?.products ?? []).map((product) => ({ product, picture: null })),
  }
}

function describeSeller({ seller, products }: SearchEntry): FoundSeller {
  const available = products.filter(({ product }) => product.available).length
  return { ...seller, match: 'part', products: products.length, available }
}
