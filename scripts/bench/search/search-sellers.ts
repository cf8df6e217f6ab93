/** Converts generated sellers into updates of the search index, and generates queries for them. */
import { createCatalogue } from '../../../src/domain/catalogue/catalogue.ts'
import { parseDocument } from '../../../src/domain/documents/parse-document.ts'
import type { Product } from '../../../src/domain/documents/product.ts'
import { createSearchEntry } from '../../../src/domain/search/search-entry.ts'
import type { SellerUpdate } from '../../../src/domain/search/search-index.ts'
import { createUpdate } from '../../../src/domain/search/search-index.ts'
import { createRandom } from '../../measure/random.ts'
import { makeSeller } from '../made-sellers.ts'
import { createHostileQuery } from './hostile-queries.ts'
import { FIRST_NAMES, LAST_NAMES, PERFUMES } from '../sample-names.ts'

export const QUERY_KINDS = ['usual', 'everywhere', 'misspelt', 'nothing', 'hostile'] as const
export type QueryKind = (typeof QUERY_KINDS)[number]

/**
 * Returns the index update of a generated seller, with `raise` added to the price of each product's bottle: an update
 * with another `raise` changes every product. The Worker of the bench fills in the tag.
 */
export function createSellerUpdate(number: number, raise: number): Promise<SellerUpdate> {
  const { id, profile, products } = makeSeller(number)
  const entries = [profile ?? [], products]
    .flat()
    .flatMap((document) => parseDocument(document, () => {}) ?? [])
  const names = entries.find((entry) => entry.kind === 'profile')?.profile ?? null
  const raised = entries.flatMap((entry): readonly Product[] =>
    entry.kind === 'product' ? [{ ...entry.product, price: (entry.product.price ?? 0) + raise }] : [],
  )
  const pictures = { photos: {}, social: null }
  const entry = createSearchEntry({ catalogue: createCatalogue(id, names, raised), pictures })
  return createUpdate(id, entry, '')
}

/** Returns queries of a kind. Equal arguments give equal queries. */
export function createQueries(kind: QueryKind, count: number): readonly string[] {
  const random = createRandom(QUERY_KINDS.indexOf(kind) + 1)
  return Array.from({ length: count }, () => {
    const perfume = random.pick(PERFUMES)
    switch (kind) {
      case 'usual':
        return random.pick([
          perfume,
          `${perfume} 100ml`,
          `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`,
          perfume.slice(0, 3 + random.below(10)),
        ])
      case 'everywhere':
        return random.pick([
          'ml',
          'eau',
          'eau de',
          'parfum',
          'parfu',
          'edp',
          'de',
          'eau de parfum',
          'e',
          '100 ml',
        ])
      case 'misspelt':
        return misspell(perfume, random.below(1_000))
      case 'nothing':
        // Each of the last three queries consists of frequent words, but no product has all of them.
        return random.pick([
          random.id(8),
          `${perfume} ${random.id(6)}`,
          'toilette cologne',
          'edp edt edc',
          '30ml 50ml 90ml',
        ])
      case 'hostile':
        return createHostileQuery(random)
    }
  })
}

/** Returns the longest word of `name` with one letter replaced. `place` selects the letter. */
function misspell(name: string, place: number): string {
  const [longest = name] = name.split(' ').toSorted((a, b) => b.length - a.length)
  const at = 1 + (place % (longest.length - 1))
  return `${longest.slice(0, at)}x${longest.slice(at + 1)}`
}
