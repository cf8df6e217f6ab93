import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { View } from '../../../src/domain/catalogue/view.ts'
import {
  DECANT_CHOICES,
  EVERYTHING,
  FILTERS,
  formatView,
  isKept,
  orderProducts,
  ORDERS,
  parseView,
} from '../../../src/domain/catalogue/view.ts'

const VIEWS = fc.record<View>({
  filter: fc.constantFrom(...FILTERS),
  decants: fc.constantFrom(...DECANT_CHOICES),
  order: fc.constantFrom(...ORDERS),
  query: fc.oneof(
    fc.constantFrom('', 'bleu', 'ñandú & más', '100%', ' dos  palabras ', '+#?='),
    fc.string({ unit: 'grapheme' }),
  ),
})

test('an address without parameters gives the default view', () => {
  expect(parseView('')).toEqual(EVERYTHING)
})

test('an unknown value in the address of a view means the default', () => {
  for (const value of ['todo', '', 'DISPONIBLE', '__proto__', 'precio', '15ml']) {
    expect(parseView(`?filtro=${value}&decants=${value}&orden=${value}`)).toEqual(EVERYTHING)
  }
  expect(parseView('?filtro&decants&orden&q')).toEqual(EVERYTHING)
})

test('the address names order and decants', () => {
  expect(parseView('?orden=precio-mayor&decants=10ml')).toEqual({
    ...EVERYTHING,
    order: 'precio-mayor',
    decants: '10ml',
  })
})

test('every view survives a round trip through the address, whatever else is in it', () => {
  fc.assert(
    fc.property(
      VIEWS,
      VIEWS,
      fc.constantFrom('', 'utm_source=whatsapp', 'a=1&a=2'),
      (view, earlier, others) => {
        const search = formatView(view, formatView(earlier, `?${others}`))
        expect(parseView(search)).toEqual(view)
        expect(search).toBe(formatView(view, `?${others}`))
      },
    ),
  )
})

test('the default view adds no parameters to the address', () => {
  expect(formatView(EVERYTHING, '?filtro=disponible&orden=precio-menor&decants=5ml&q=bleu')).toBe('')
})

test('other parameters of the address are kept', () => {
  const view: View = { ...EVERYTHING, filter: 'disponible', order: 'precio-menor' }
  expect(formatView(view, '?utm_source=whatsapp&q=x')).toBe(
    '?utm_source=whatsapp&filtro=disponible&orden=precio-menor',
  )
})

test('each filter keeps its own products', () => {
  const decants = { '5ml': false, '10ml': false }
  const kept = FILTERS.map((filter) =>
    [true, false].map((available) => isKept({ ...EVERYTHING, filter }, { available, decants })),
  )
  expect(kept).toEqual([
    [true, true],
    [true, false],
    [false, true],
  ])
})

test('a size keeps products whose decant of that size is available, whether or not the bottle is', () => {
  for (const available of [true, false]) {
    const kept = DECANT_CHOICES.map((size) =>
      [
        { '5ml': false, '10ml': false },
        { '5ml': true, '10ml': false },
        { '5ml': false, '10ml': true },
      ].map((decants) => isKept({ ...EVERYTHING, decants: size }, { available, decants })),
    )
    expect(kept).toEqual([
      [true, true, true],
      [false, true, false],
      [false, false, true],
    ])
  }
})

test('a product is kept when both filter and size keep it', () => {
  const view: View = { ...EVERYTHING, filter: 'disponible', decants: '5ml' }
  expect(isKept(view, { available: true, decants: { '5ml': true, '10ml': false } })).toBe(true)
  expect(isKept(view, { available: false, decants: { '5ml': true, '10ml': false } })).toBe(false)
  expect(isKept(view, { available: true, decants: { '5ml': false, '10ml': true } })).toBe(false)
})

const PRICES = fc.array(
  fc.option(fc.oneof(fc.constantFrom(0, -0, 1300), fc.double({ min: 0, max: 999_999_999, noNaN: true }))),
)

test('products are sorted by price in both directions: equal prices by name, no price and nothing last', () => {
  fc.assert(
    fc.property(PRICES, fc.constantFrom('precio-menor', 'precio-mayor'), (prices, order) => {
      const products = prices.map((price, position) => ({ price, position }))
      const ordered = orderProducts(products, order)
      expect(ordered.map(({ position }) => position).toSorted((a, b) => a - b)).toEqual(
        products.map(({ position }) => position),
      )
      for (const [index, { price, position }] of ordered.slice(1).entries()) {
        const before = ordered[index] ?? { price: null, position: -1 }
        const step = compare(before.price, price, order)
        expect(step <= 0 && (step < 0 || before.position < position)).toBe(true)
      }
    }),
  )
})

test('products in the default order stay as they are given', () => {
  const products = [{ price: 3 }, { price: null }, { price: 1 }]
  expect(orderProducts(products, 'nombre')).toEqual(products)
})

function compare(a: number | null, b: number | null, order: 'precio-menor' | 'precio-mayor'): number {
  const isNone = (price: number | null): price is null | 0 => price === null || price === 0
  if (isNone(a) || isNone(b)) return Number(isNone(a)) - Number(isNone(b))
  return order === 'precio-menor' ? a - b : b - a
}
