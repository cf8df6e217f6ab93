import { GeoPoint, Timestamp } from 'firebase-admin/firestore'
import { describe, expect, it } from 'vitest'
import { parseDocument } from '../../../src/domain/documents/parse-document.ts'
import { readDocument } from '../../../src/builder/sources/firestore/firestore-values.ts'
import { product } from '../../support/rebuild/documents.ts'

/** As the client hands it on: a field that throws is one whose kind it does not know. */
function snapshotOf(data: Record<string, unknown>, unknown: readonly string[] = []) {
  const read = (name: string): unknown => {
    if (unknown.includes(name)) throw new Error('Cannot decode type from Firestore Value')
    return data[name]
  }
  return {
    id: 'p1',
    updateTime: new Timestamp(1_777_863_721, 5_000_000),
    data: () => Object.fromEntries([...Object.keys(data), ...unknown].map((name) => [name, read(name)])),
    get: (name: unknown) => read(String(name)),
  }
}

const convert = (data: Record<string, unknown>, unknown?: readonly string[]) =>
  readDocument('cataloge', snapshotOf(data, unknown))

function parse(overrides: Record<string, unknown>, unknown?: readonly string[]) {
  const fields: string[] = []
  const document = convert({ ...Object(product('p1', 'ana').data), ...overrides }, unknown)
  return { entry: parseDocument(document, ({ field }) => fields.push(field)), fields }
}

const ODD: readonly [string, unknown][] = [
  ['a time', Timestamp.fromMillis(0)],
  ['a place', new GeoPoint(18.5, -69.9)],
  ['bytes', Buffer.from('abc')],
  ['NaN', Number.NaN],
  ['infinity', Infinity],
  ['a whole number beyond 53 bits', 2n ** 60n],
]

describe('a value of Firestore', () => {
  it('is unchanged if it has a JSON form', () => {
    const data = { text: 'ñ', number: -0.5, yes: true, none: null, list: [1, { deep: [] }], map: { a: {} } }
    expect(convert(data).data).toEqual(data)
    expect(convert({ number: -0 }).data).toEqual({ number: 0 })
  })

  it.each(ODD)('%s is plain once converted, is rejected by its field and affects no other', (_, value) => {
    const { data } = convert({ other: [{ deep: value }] })
    expect(JSON.parse(JSON.stringify(data))).toEqual(data)
    for (const field of ['photo', 'price', 'available']) {
      const { entry, fields } = parse({ [field]: value })
      expect(entry).toMatchObject({ kind: 'product', seller: 'ana', product: { name: 'Perfume p1' } })
      expect(fields).toEqual([field])
    }
    expect(parse({ owner: { id: value } })).toEqual({ entry: null, fields: ['owner.id'] })
  })

  it('affects no other field if the client does not support its type', () => {
    expect(parse({}, ['other']).fields).toEqual([])
    expect(parse({}, ['other']).entry).toMatchObject({ seller: 'ana', product: { price: 1300 } })
    expect(parse({}, ['price'])).toMatchObject({ fields: ['price'], entry: { product: { price: null } } })
  })

  it('never becomes a property that other objects have', () => {
    const data = Object.fromEntries([['__proto__', { polluted: true }]])
    expect(JSON.stringify(convert(data).data)).toBe(JSON.stringify(data))
    expect({}).not.toHaveProperty('polluted')
  })
})

it('the time of a document of Firestore has all digits, so that the later is the greater text', () => {
  expect(convert({}).updateTime).toBe('2026-05-04T03:02:01.005000000Z')
})
