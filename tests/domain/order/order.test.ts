import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { OrderLine } from '../../../src/domain/order/order.ts'
import {
  addToOrder,
  changeCount,
  countItems,
  formatStoredOrder,
  isSameLine,
  MAX_COUNT,
  ORDER_SIZES,
  parseStoredOrder,
  sumPrices,
} from '../../../src/domain/order/order.ts'

const BOTTLE = { product: 'a', size: 'frasco', name: 'Afnan 9PM', price: 2_600 } as const
const DECANT = { ...BOTTLE, size: '5ml', price: 250 } as const

const LINES = fc.record<OrderLine>({
  product: fc.string({ unit: 'grapheme' }),
  size: fc.constantFrom(...ORDER_SIZES),
  count: fc.integer({ min: 1, max: MAX_COUNT }),
  name: fc.string({ unit: 'binary' }),
  price: fc.integer({ min: 0, max: 999_999_999_000 }).map((thousandths) => thousandths / 1_000),
})
const ORDERS = fc.uniqueArray(LINES, { comparator: isSameLine, maxLength: 50 })

/** Lines as they should be, and with any value in any place. */
const STORED = fc.array(
  fc.tuple(...Array.from({ length: 5 }, () => fc.oneof(fc.jsonValue(), fc.constantFrom('5ml', 1, 99)))),
)

test('sizes of one product are lines of their own, and the same size is counted', () => {
  const order = [BOTTLE, DECANT, DECANT].reduce(addToOrder, [] as readonly OrderLine[])
  expect(order).toEqual([
    { ...BOTTLE, count: 1 },
    { ...DECANT, count: 2 },
  ])
  expect(countItems(order)).toBe(3)
  expect(sumPrices(order)).toBe(3_100)
})

test('a line that is added again takes the new price', () => {
  const order = addToOrder(addToOrder([], BOTTLE), { ...BOTTLE, price: 2_500 })
  expect(order).toEqual([{ ...BOTTLE, price: 2_500, count: 2 }])
})

test('a count of nothing removes the line, and there is a largest one', () => {
  const order = addToOrder(addToOrder([], BOTTLE), DECANT)
  expect(changeCount(order, BOTTLE, 0)).toEqual([{ ...DECANT, count: 1 }])
  expect(changeCount(order, DECANT, 1_000)[1]?.count).toBe(MAX_COUNT)
  const full = changeCount(order, DECANT, MAX_COUNT)
  expect(addToOrder(full, DECANT)).toEqual(full)
})

test('sums keep decimals', () => {
  expect(sumPrices([{ count: 3, price: 0.1 }])).toBe(0.3)
  expect(sumPrices([{ count: 1, price: 1_999.999 }])).toBe(1_999.999)
})

test('a stored order is read as it was', () => {
  fc.assert(
    fc.property(ORDERS, (order) => {
      expect(parseStoredOrder(formatStoredOrder(order))).toEqual(order)
    }),
  )
})

test('whatever is stored gives an order', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        STORED.map((lines) => JSON.stringify(lines)),
      ),
      (text) => {
        for (const { count, price, size } of parseStoredOrder(text)) {
          expect(Number.isInteger(count) && count > 0 && price >= 0 && ORDER_SIZES.includes(size)).toBe(true)
        }
      },
    ),
  )
  expect(parseStoredOrder(null)).toEqual([])
  expect(parseStoredOrder('[["a","frasco",1,"A",5],["a","frasco",9,"A",5],["b","15ml",1,"B",5]]')).toEqual([
    { product: 'a', size: 'frasco', count: 1, name: 'A', price: 5 },
  ])
})
