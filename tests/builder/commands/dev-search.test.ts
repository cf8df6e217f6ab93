/** The search of the development server. */
import { expect, it } from 'vitest'
import { searchSnapshot } from '../../../src/builder/commands/dev-search.ts'
import { MOST_FOUND, NOTHING_FOUND } from '../../../src/domain/search/search-answer.ts'
import { CATALOGUES } from '../../../scripts/audit/sample-catalogues.ts'

const SNAPSHOT = {
  readSellers: () => CATALOGUES.map(({ seller }) => seller),
  readCatalogue: (id: string) => CATALOGUES.find(({ seller }) => seller === id) ?? null,
}

it('finds products of several sellers, available ones first, and sellers by their names', () => {
  const { products, isMore } = searchSnapshot(SNAPSHOT, 'perfum')
  expect(products).toHaveLength(MOST_FOUND.products)
  expect(isMore).toBe(true)
  expect(new Set(products.map(({ seller }) => seller.id)).size).toBeGreaterThan(2)
  expect(products.every(({ product }) => product.available)).toBe(true)
  const { sellers } = searchSnapshot(SNAPSHOT, 'ROSA peña')
  expect(sellers).toMatchObject([{ id: '1', name: 'Rosa Amelia Peña Marte', match: 'part' }])
})

it('finds nothing without words', () => {
  for (const query of ['', '"*"', 'zzzz']) expect(searchSnapshot(SNAPSHOT, query)).toEqual(NOTHING_FOUND)
})
