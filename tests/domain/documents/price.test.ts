import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatPrice, isPrice, MAX_PRICE, parseFormattedPrice } from '../../../src/domain/documents/price.ts'

test('amounts from zero to the maximum are prices', () => {
  for (const value of [0, -0, 0.5, 1300, MAX_PRICE]) expect(isPrice(value)).toBe(true)
})

test('no other amount, and nothing else, is a price', () => {
  const others = [
    -1,
    -0.01,
    1e308,
    MAX_PRICE + 0.5,
    Number.NaN,
    Infinity,
    -Infinity,
    '1300',
    '',
    null,
    undefined,
  ]
  for (const value of [...others, true, [], [5], {}, 5n]) expect(isPrice(value)).toBe(false)
})

test('thousands of a price are grouped by commas', () => {
  expect([0, 999, 1300, 12_345, MAX_PRICE].map((price) => formatPrice(price))).toEqual([
    'RD$0',
    'RD$999',
    'RD$1,300',
    'RD$12,345',
    'RD$999,999,999',
  ])
})

test('cents of a price are shown with a point and two digits, or not at all', () => {
  expect([1234.5, 0.07, 1.996, 7_200.001].map((price) => formatPrice(price))).toEqual([
    'RD$1,234.50',
    'RD$0.07',
    'RD$2',
    'RD$7,200',
  ])
})

test('any amount is formatted like in the locale es-DO', () => {
  const reference = new Intl.NumberFormat('es-DO', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  const amounts = fc.oneof(
    fc.integer({ min: 0, max: MAX_PRICE }),
    fc.double({ min: 0, max: MAX_PRICE, noNaN: true }),
    fc.integer({ min: 0, max: 10_000_000 }).map((number) => number / 10_000),
  )
  fc.assert(
    fc.property(amounts, (price) => {
      const cents = Math.round(price * 100) / 100
      expect(formatPrice(price)).toBe(`RD$${reference.format(cents).replace('.00', '')}`)
    }),
    { numRuns: 5_000 },
  )
})

test('minus zero is formatted as zero', () => {
  expect(formatPrice(-0)).toBe('RD$0')
})

test('a price on the home page has a space after the sign', () => {
  expect(formatPrice(1300, ' ')).toBe('RD$ 1,300')
})

test('an absent price is formatted as two hyphens, with or without the space', () => {
  expect(formatPrice(null)).toBe('--')
  expect(formatPrice(null, ' ')).toBe('--')
})

test('a formatted price is parsed back', () => {
  for (const price of [0, 999, 1_300, 1_234.5, 0.12, MAX_PRICE])
    for (const space of ['', ' '] as const) expect(parseFormattedPrice(formatPrice(price, space))).toBe(price)
  for (const text of [formatPrice(null), '', 'RD$', '1,300', 'RD$1,300.', 'RD$1,300 o más'])
    expect(parseFormattedPrice(text)).toBeNull()
})
