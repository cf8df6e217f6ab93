import { expect, test } from 'vitest'
import type { Json } from '../../../src/domain/documents/json.ts'
import { formatCanonicalJson, isRecord } from '../../../src/domain/documents/json.ts'

function parse(text: string): Json {
  return JSON.parse(text) as Json
}

test('canonical JSON does not depend on the order of keys at any depth', () => {
  const one = { b: 1, a: { d: [{ y: 1, x: 2 }], c: null } }
  const other = { a: { c: null, d: [{ x: 2, y: 1 }] }, b: 1 }
  expect(formatCanonicalJson(one)).toBe(formatCanonicalJson(other))
  expect(formatCanonicalJson(one)).toBe('{"a":{"c":null,"d":[{"x":2,"y":1}]},"b":1}')
})

test('canonical JSON keeps the order of lists', () => {
  expect(formatCanonicalJson([2, 1])).not.toBe(formatCanonicalJson([1, 2]))
})

test('canonical JSON sorts keys by code unit, not by locale', () => {
  expect(formatCanonicalJson({ á: 1, b: 2, B: 3, a: 4 })).toBe('{"B":3,"a":4,"b":2,"á":1}')
})

test('a key __proto__ of JSON is plain data and changes no prototype', () => {
  const hostile = parse('{"b":1,"__proto__":{"price":5},"a":{"__proto__":7}}')
  expect(formatCanonicalJson(hostile)).toBe('{"__proto__":{"price":5},"a":{"__proto__":7},"b":1}')
  expect('price' in {}).toBe(false)
})

test('different values give different canonical JSON', () => {
  const values: readonly Json[] = [null, false, 0, '', [], {}, '0', [null], [[]], { a: null }, 'null', 1e308]
  expect(new Set(values.map(formatCanonicalJson)).size).toBe(values.length)
})

test('canonical JSON of an unpaired surrogate is well-formed', () => {
  expect(formatCanonicalJson({ a: '\ud800' }).isWellFormed()).toBe(true)
})

test('only maps are records', () => {
  expect(isRecord({})).toBe(true)
  expect(isRecord(Object.create(null))).toBe(true)
  for (const value of [null, undefined, [], 'text', 5, Number.NaN, true]) expect(isRecord(value)).toBe(false)
})
