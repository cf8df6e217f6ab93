import { expect, test } from 'vitest'
import type { OrderLine } from '../../../src/domain/order/order.ts'
import type { Offer } from '../../../src/domain/order/review-order.ts'
import { reviewOrder, takeOffered } from '../../../src/domain/order/review-order.ts'

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
