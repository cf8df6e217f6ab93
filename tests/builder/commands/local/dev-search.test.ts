/** The search of the development server. */
import { expect, it } from 'vitest'
import { searchSnapshot } from '../../../../src/builder/commands/local/dev-search.ts'
import type { DecantChoice } from '../../../../src/domain/catalogue/view.ts'
import type { SearchAnswer } from '../../../../src/domain/pages/found-products.ts'
import { MOST_FOUND, NOTHING_FOUND } from '../../../../src/domain/search/search-answer.ts'
import { CATALOGUES } from '../../../../scripts/audit/sample-catalogues.ts'

const SNAPSHOT = {
  readSellers: () => CATALOGUES.map(({ seller }) => seller),
  readCatalogue: (id: string) => CATALOGUES.find(({ seller }) => seller === id) ?? null,
}

const search = (query: string, decants: DecantChoice = 'todos'): SearchAnswer =>
  searchSnapshot(SNAPSHOT, { query, decants })

it('finds products of several sellers, available ones first, and sellers by their names', () => {
  const { products, isMore } = search('perfum')
  expect(products).toHaveLength(MOST_FOUND.products)
  expect(isMore).toBe(true)
  expect(new Set(products.map(({ seller }) => seller.id)).size).toBeGreaterThan(2)
  expect(products.every(({ product }) => product.available)).toBe(true)
  const { sellers } = search('ROSA peña')
  expect(sellers).toMatchObject([{ id: '1', name: 'Rosa Amelia Peña Marte', match: 'part' }])
})

it('finds products with the chosen decant', () => {
  const { products, sellers } = search('rosa', '5ml')
  expect([products.every(({ product }) => product['_5ml'].available), sellers]).toEqual([true, []])
})

it('finds nothing without words', () => {
  for (const query of ['', '"*"', 'zzzz']) expect(search(query)).toEqual(NOTHING_FOUND)
})
