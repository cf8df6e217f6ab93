import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { OrderLine } from '../../../src/domain/order/order.ts'
import { isSameLine, MAX_COUNT, ORDER_SIZES } from '../../../src/domain/order/order.ts'
import {
  formatStoredOrder,
  parseStoredOrder,
  parseStoredSummary,
  summarizeOrder,
} from '../../../src/domain/order/stored-order.ts'
import { ANY_CHARACTER } from '../../support/run/values.ts'

const LINES = fc.record<OrderLine>({
  product: fc.string({ unit: 'grapheme' }),
  size: fc.constantFrom(...ORDER_SIZES),
  count: fc.integer({ min: 1, max: MAX_COUNT }),
  name: fc.string({ unit: ANY_CHARACTER }),
  price: fc.integer({ min: 1, max: 99_999_999_900 }).map((cents) => cents / 100),
})
const ORDERS = fc.uniqueArray(LINES, { comparator: isSameLine, maxLength: 50 })

/** Lines as they should be, and with any value in any place. */
const STORED = fc.array(
  fc.tuple(...Array.from({ length: 5 }, () => fc.oneof(fc.jsonValue(), fc.constantFrom('5ml', 1, 99)))),
)

test('a stored order is read as it was', () => {
  fc.assert(
    fc.property(ORDERS, (order) => {
      const summary = summarizeOrder(order)
      const text = formatStoredOrder(order, summary)
      expect(parseStoredOrder(text)).toEqual(order)
      expect(parseStoredSummary(text)).toEqual(summary)
    }),
  )
})

test('any stored text gives an order', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        STORED.map((lines) => `1 RD$1\n${JSON.stringify(lines)}`),
      ),
      (text) => {
        for (const { count, price, size } of parseStoredOrder(text)) {
          expect(Number.isInteger(count) && count > 0 && price > 0 && ORDER_SIZES.includes(size)).toBe(true)
        }
      },
    ),
  )
  expect(parseStoredOrder(null)).toEqual([])
  const text =
    '1 RD$5\n[["a","frasco",1,"A",5],["a","frasco",9,"A",5],["b","15ml",1,"B",5],["c","5ml",1,"C",0]]'
  expect(parseStoredOrder(text)).toEqual([{ product: 'a', size: 'frasco', count: 1, name: 'A', price: 5 }])
})

test('what is no order has no summary', () => {
  for (const text of [null, '', '3', '[]', 'RD$5', '3 RD$5', '-1 RD$5\n[]', 'x 3 RD$5\n[]'])
    expect(parseStoredSummary(text)).toBeNull()
})
