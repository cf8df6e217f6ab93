import { expect, test } from 'vitest'
import type { View } from '../../src/domain/catalogue/view.ts'
import { EVERYTHING } from '../../src/domain/catalogue/view.ts'
import { formatFound, formatProductCount } from '../../src/domain/messages.ts'

const TEXTS: readonly (readonly [string, number, Partial<View>])[] = [
  ['30 productos', 30, {}],
  ['1 producto', 1, { order: 'precio-menor' }],
  ['12 productos disponibles con «bleu»', 12, { filter: 'disponible', query: ' bleu ' }],
  ['0 productos no disponibles', 0, { filter: 'no-disponible', query: ' ' }],
  ['1 producto no disponible con decant de 10ML', 1, { filter: 'no-disponible', decants: '10ml' }],
  ['2 productos con decant de 5ML y «bleu»', 2, { decants: '5ml', query: 'bleu' }],
]

test('the count of products says what narrows the catalogue', () => {
  for (const [text, count, view] of TEXTS)
    expect(formatProductCount(count, { ...EVERYTHING, ...view })).toBe(text)
})

test('the status of a search counts what the page shows, and says when that is nothing', () => {
  const found = { sellers: 0, products: 30, isMore: true, isNear: false, decants: 'todos' } as const
  expect(formatFound(found)).toBe('Más de 30 productos')
  expect(formatFound({ ...found, sellers: 1, products: 1, isMore: false })).toBe('1 catálogo y 1 producto')
  expect(formatFound({ ...found, products: 0, isNear: true, decants: '5ml' })).toBe(
    'No encontramos nada con decant de 5ML',
  )
})
