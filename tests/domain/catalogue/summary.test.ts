import { expect, test } from 'vitest'
import type { Decant, Product } from '../../../src/domain/documents/product.ts'
import { createSummary } from '../../../src/domain/catalogue/summary.ts'
import { formatDescription } from '../../../src/domain/messages.ts'
import { createProduct, NO_DECANT } from '../../support/search/search-oracle.ts'

function createProducts(
  available: number,
  sold: number,
  decants: readonly Decant[] = [],
): readonly Product[] {
  return Array.from({ length: available + sold }, (_, index) =>
    createProduct(`p${index}`, 'Bleu', {
      price: 1300,
      available: index < available,
      _5ml: decants[index] ?? NO_DECANT,
    }),
  )
}

const describe = (...products: Parameters<typeof createProducts>): string =>
  formatDescription(createSummary(createProducts(...products)))

test.each([
  [0, 0, 'Todavía no hay productos en este catálogo.'],
  [1, 0, '1 producto disponible'],
  [0, 1, '1 producto agotado'],
  [2, 0, '2 productos disponibles'],
  [0, 2, '2 productos agotados'],
  [1, 1, '2 productos, 1 disponible'],
  [31, 7, '38 productos, 31 disponibles'],
])('%i available and %i sold out are «%3$s»', (available, sold, text) => {
  expect(describe(available, sold)).toBe(text)
})

test('the summary of a catalogue includes the lowest price of the available decants', () => {
  const decants = [
    { price: 1500, available: true },
    { price: 1250, available: true },
    { price: 90, available: false },
    { price: null, available: true },
    { price: 0, available: true },
    { price: 0.004, available: true },
  ]
  expect(describe(31, 7, decants)).toBe('38 productos, 31 disponibles, decants desde RD$1,250')
})

test('the summary of a catalogue has no price of decants when none is available', () => {
  expect(
    describe(2, 0, [
      { price: 90, available: false },
      { price: null, available: true },
    ]),
  ).toBe('2 productos disponibles')
})
