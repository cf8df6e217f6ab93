import { expect, test } from 'vitest'
import type { OrderLine } from '../../../src/domain/order/order.ts'
import {
  addToOrder,
  changeCount,
  countOrdered,
  MAX_COUNT,
  sumPrices,
} from '../../../src/domain/order/order.ts'
import type { Offer } from '../../../src/domain/order/review-order.ts'
import { reviewOrder, takeOffered } from '../../../src/domain/order/review-order.ts'

const BOTTLE = { product: 'a', size: 'frasco', name: 'Afnan 9PM', price: 2_600 } as const
const DECANT = { ...BOTTLE, size: '5ml', price: 250 } as const

test('sizes of one product are lines of an order, and the same size is counted', () => {
  const order = [BOTTLE, DECANT, DECANT].reduce(addToOrder, [] as readonly OrderLine[])
  expect(order).toEqual([
    { ...BOTTLE, count: 1 },
    { ...DECANT, count: 2 },
  ])
  expect(countOrdered(order)).toBe(3)
  expect(sumPrices(order)).toBe(3_100)
})

test('a line that is added again takes the new price', () => {
  const order = addToOrder(addToOrder([], BOTTLE), { ...BOTTLE, price: 2_500 })
  expect(order).toEqual([{ ...BOTTLE, price: 2_500, count: 2 }])
})

test('a count of 0 removes the line of an order, and there is a largest one', () => {
  const order = addToOrder(addToOrder([], BOTTLE), DECANT)
  expect(changeCount(order, BOTTLE, 0)).toEqual([{ ...DECANT, count: 1 }])
  expect(changeCount(order, DECANT, 1_000)[1]?.count).toBe(MAX_COUNT)
  const full = changeCount(order, DECANT, MAX_COUNT)
  expect(addToOrder(full, DECANT)).toEqual(full)
})

test('the total of an order keeps decimals', () => {
  expect(sumPrices([{ count: 3, price: 0.1 }])).toBe(0.3)
  expect(sumPrices([{ count: 1, price: 1_999.99 }])).toBe(1_999.99)
})

const LINE: OrderLine = { product: 'a', size: '5ml', count: 2, name: 'Afnan 9PM', price: 250 }
const OFFER: Offer = { name: 'Afnan 9PM', price: 250, available: true }

test.each<[string, Offer | null, unknown, boolean]>([
  ['nothing changed', OFFER, null, true],
  ['another price', { ...OFFER, price: 300 }, { kind: 'price', before: 250 }, true],
  ['sold out', { ...OFFER, available: false }, { kind: 'sold-out' }, false],
  ['without a price', { ...OFFER, price: null }, { kind: 'no-price' }, false],
  ['for nothing', { ...OFFER, price: 0 }, { kind: 'no-price' }, false],
  ['for what is shown as nothing', { ...OFFER, price: 0.004 }, { kind: 'no-price' }, false],
  ['for a cent', { ...OFFER, price: 0.01 }, { kind: 'price', before: 250 }, true],
  ['gone', null, { kind: 'gone' }, false],
])('%s', (_name, offer, change, isOffered) => {
  const [reviewed] = reviewOrder([LINE], () => offer)
  expect(reviewed).toMatchObject({ change, isOffered })
})

test('what is ordered has the name and the price of today', () => {
  const order = [LINE, { ...LINE, product: 'b' }]
  const reviewed = reviewOrder(order, (product) =>
    product === 'a' ? { name: 'Afnan 9 PM', price: 300, available: true } : null,
  )
  expect(takeOffered(reviewed)).toEqual([{ ...LINE, name: 'Afnan 9 PM', price: 300 }])
})
