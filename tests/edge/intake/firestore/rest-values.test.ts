import { describe, expect, it } from 'vitest'
import { readRestDocument } from '../../../../src/edge/intake/firestore/rest-values.ts'

const NAME = 'projects/demo/databases/(default)/documents/cataloge/p1'

/** `price` as Google writes it. */
const convert = (price: string): unknown => {
  const fields = `{"price":${price},"photo":{"stringValue":"x"}}`
  const { data } = readRestDocument(JSON.parse(`{"name":"${NAME}","fields":${fields}}`))
  expect(data).toHaveProperty('photo', 'x')
  return (data as { readonly price: unknown }).price
}

describe('a value of Firestore’s REST API', () => {
  it.each([
    ['{"nullValue":null}', null],
    ['{"booleanValue":false}', false],
    ['{"stringValue":""}', ''],
    ['{"integerValue":"300"}', 300],
    ['{"integerValue":"-1152921504606846977"}', -1_152_921_504_606_847_000],
    ['{"doubleValue":-0.5}', -0.5],
    ['{"doubleValue":300}', 300],
    ['{"doubleValue":-0.0}', 0],
    ['{"doubleValue":"-0"}', 0],
    ['{"arrayValue":{}}', []],
    ['{"mapValue":{}}', {}],
    ['{"mapValue":{"fields":{"a":{"arrayValue":{"values":[{"integerValue":"1"}]}}}}}', { a: [1] }],
  ])('%s is plain', (json, expected) => {
    expect(convert(json)).toEqual(expected)
  })

  it.each([
    ['{"doubleValue":"NaN"}', 'NaN'],
    ['{"doubleValue":"Infinity"}', 'Infinity'],
    ['{"doubleValue":"-Infinity"}', '-Infinity'],
    ['{"doubleValue":1e999}', 'Infinity'],
    ['{"timestampValue":"2026-05-04T03:02:01Z"}', 'Timestamp'],
    ['{"geoPointValue":{"latitude":1}}', 'GeoPoint'],
    ['{"bytesValue":"YWJj"}', 'Buffer'],
    [`{"referenceValue":"${NAME}"}`, 'DocumentReference'],
    ['{"mapValue":{"fields":{"__type__":{"stringValue":"__vector__"},"value":{}}}}', 'VectorValue'],
    ['{"mapValue":{"fields":{"__min__":{"nullValue":null}}}}', 'MinKey'],
  ])('%s is a map that no field accepts', (json, type) => {
    expect(convert(json)).toEqual({ type })
  })

  it.each([
    '{"decimalValue":"1"}',
    '{}',
    'null',
    '5',
    '{"mapValue":{"fields":{"price":{"integerValue":"1"},"deep":{"arrayValue":{"values":[{"new":1}]}}}}}',
    '{"referenceValue":"projects/demo/databases/(default)/documents/cataloge"}',
  ])('%s makes its whole field unknown, and no other', (json) => {
    expect(convert(json)).toEqual({ type: 'unknown' })
  })

  it('never becomes a property that other objects have', () => {
    const data = convert(
      '{"mapValue":{"fields":{"__proto__":{"mapValue":{"fields":{"x":{"nullValue":null}}}}}}}',
    )
    expect(Object.keys(Object(data))).toEqual(['__proto__'])
    expect({}).not.toHaveProperty('x')
  })
})

describe('a document of Firestore’s REST API', () => {
  it('has the fields that are read, and no others', () => {
    const fields = {
      name: { stringValue: 'Rosa' },
      notes: { stringValue: 'x' },
      constructor: { nullValue: null },
    }
    expect(readRestDocument({ name: NAME, fields })).toEqual({
      collection: 'cataloge',
      id: 'p1',
      updateTime: null,
      data: { name: 'Rosa' },
    })
    expect(readRestDocument({ name: NAME }).data).toEqual({})
  })

  it('has the time that the builder’s client gives it', () => {
    const read = (updateTime: unknown) => readRestDocument({ name: NAME, updateTime }).updateTime
    expect(read('2026-05-04T03:02:01Z')).toBe('2026-05-04T03:02:01.000000000Z')
    expect(read('2026-05-04T03:02:01.005Z')).toBe('2026-05-04T03:02:01.005000000Z')
    expect(read('2026-05-04T03:02:01.000000123Z')).toBe('2026-05-04T03:02:01.000000123Z')
    expect([read(undefined), read(5), read('today')]).toEqual([null, null, null])
  })
})
