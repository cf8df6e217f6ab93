import { expect, test } from 'vitest'
import type { SearchAnswer } from '../../../src/domain/search/found-products.ts'
import { addDecants, keepOffered } from '../../../src/domain/search/asked-search.ts'
import { MAX_QUERY, MAX_QUERY_WORDS, parseQuery, rankProduct } from '../../../src/domain/search/words.ts'
import { createProduct } from '../../support/search/search-entries.ts'

const SELLER = { id: 'ana', name: 'Decants 5ml Ana' }

test('a chosen decant adds the word that products with it have, and no other name', () => {
  const words = parseQuery(addDecants({ query: 'Eros', decants: '5ml' }))
  expect(words).toEqual(['5mldecant', 'eros'])
  const offers = { ...createProduct('p', 'Eros'), _5ml: { price: 300, available: true } }
  expect(rankProduct(offers).first).toEqual(expect.arrayContaining([...words]))
  const named = rankProduct({
    ...createProduct('p', 'Decant 5ml Eros'),
    _5ml: { price: 300, available: false },
  })
  expect([...named.first, ...named.later]).not.toContain('5mldecant')
  expect(addDecants({ query: 'Eros', decants: 'todos' })).toBe('Eros')
})

test('a chosen decant takes the place of no word of the query', () => {
  const words = 'uno dos tres cuatro once seis siete ocho'.split(' ')
  const long = `${'x'.repeat(30)} ${'y'.repeat(30)} ${'z'.repeat(30)} eros`
  expect([words.length, long.length <= MAX_QUERY]).toEqual([MAX_QUERY_WORDS, true])
  for (const query of [...words.map((_, index) => words.slice(index).join(' ')), long])
    expect(parseQuery(addDecants({ query, decants: '10ml' })), query).toEqual(
      expect.arrayContaining([...parseQuery(query)]),
    )
})

test('a query without words finds nothing, also with a chosen decant', () => {
  expect(parseQuery(addDecants({ query: '🌸', decants: '5ml' }))).toEqual([])
})

test('with a chosen decant there are only products that offer it, and no sellers', () => {
  const products = [true, false].map((available) => ({
    ...createProduct(`p${available}`, 'Decant 5ml Eros'),
    _5ml: { price: 300, available },
    link: `/p${available}`,
    photo: '/sin-foto.svg',
    source: null,
    tone: null,
    seller: SELLER,
    match: 'whole' as const,
  }))
  const sellers = [{ ...SELLER, match: 'whole' as const, products: 2, available: 2 }]
  const answer: SearchAnswer = { products, sellers, isMore: false }
  expect(keepOffered(answer, '5ml')).toEqual({ products: [products[0]], sellers: [], isMore: false })
  expect(keepOffered(answer, 'todos')).toBe(answer)
})
