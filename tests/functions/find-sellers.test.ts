/** The sellers whose pages a written Firestore document affects. */
import { describe, expect, it } from 'vitest'
import type { WrittenFields } from '../../functions/firestore-trigger/src/find-sellers.ts'
import { findProductSellers, findProfileSellers } from '../../functions/firestore-trigger/src/find-sellers.ts'
import type { DocumentFields } from '../../src/domain/documents/document-fields.ts'
import { DOCUMENT_FIELDS } from '../../src/domain/documents/document-fields.ts'

const PRODUCT = {
  id: 'p',
  name: 'Agua',
  photo: 'https://example.com/a.jpg',
  price: 900,
  available: true,
  owner: { id: 'ana', name: 'Ana' },
  _5ml: { price: 100, available: true },
  _10ml: { price: 180, available: false },
}

const PROFILE = { fName: 'Ana', lName: 'Peña', whatsapp: '8095550100', email: 'ana@example.com' }

function change(fields: object): readonly string[] {
  return findProductSellers({ before: PRODUCT, after: { ...PRODUCT, ...fields } })
}

describe('a product', () => {
  it('that is created or deleted affects its owner', () => {
    expect(findProductSellers({ before: undefined, after: PRODUCT })).toEqual(['ana'])
    expect(findProductSellers({ before: PRODUCT, after: undefined })).toEqual(['ana'])
  })

  it.each([{ price: null }, { price: '900' }, { _10ml: undefined }])(
    'affects its owner when a value goes or has another type: %j',
    (fields) => {
      expect(change(fields)).toEqual(['ana'])
    },
  )

  it('that changes its owner affects the old and the new one, if they are valid', () => {
    expect(change({ owner: { id: 'eva' } })).toEqual(['ana', 'eva'])
    expect(change({ owner: {} })).toEqual(['ana'])
    expect(findProductSellers({ before: { ...PRODUCT, owner: null }, after: PRODUCT })).toEqual(['ana'])
  })

  it.each([
    {},
    { stock: 3 },
    { id: 'other' },
    { owner: { id: 'ana', name: 'Ana María' } },
    { _5ml: { price: 100, available: true, cost: 60 } },
  ])('affects no seller when no page shows the change: %j', (fields) => {
    expect(change(fields)).toEqual([])
  })

  it.each([
    [Number.NaN, undefined],
    [{ a: 1 }, { a: 2 }],
    [null, []],
  ])('affects no seller when an invalid value %j becomes %j', (before, after) => {
    expect(
      findProductSellers({ before: { ...PRODUCT, price: before }, after: { ...PRODUCT, price: after } }),
    ).toEqual([])
  })

  it.each([{ id: '' }, { id: 7 }, null, 'ana', undefined])(
    'without an owner affects no seller: %j',
    (owner) => {
      expect(findProductSellers({ before: undefined, after: { ...PRODUCT, owner } })).toEqual([])
    },
  )
})

describe('a profile', () => {
  const write = (before: WrittenFields, after: WrittenFields): readonly string[] =>
    findProfileSellers('ana', { before, after })

  it('that is created or deleted affects its seller', () => {
    expect(write(undefined, PROFILE)).toEqual(['ana'])
    expect(write(PROFILE, undefined)).toEqual(['ana'])
  })

  it('affects its seller when a value goes', () => {
    expect(write(PROFILE, { ...PROFILE, lName: undefined })).toEqual(['ana'])
  })

  it('affects no seller when no page shows the change', () => {
    expect(write(PROFILE, { ...PROFILE, email: 'other@example.com', phone: '1', lastSeen: 1 })).toEqual([])
    expect(write(undefined, undefined)).toEqual([])
  })
})

it('a change of each field that the site reads is reported', () => {
  const values = {
    text: ['a', 'b'],
    name: ['a', 'b'],
    phone: ['a', 'b'],
    amount: [1, 2],
    flag: [true, false],
    owner: [{ id: 'ana' }, { id: 'eva' }],
  } as const
  const list = (fields: DocumentFields): readonly (readonly [before: object, after: object])[] =>
    Object.entries(fields).flatMap(([name, field]): readonly (readonly [object, object])[] => {
      // The id of a document cannot change.
      if (field.type === 'id') return []
      if (field.type === 'map') return list(field.fields).map(([a, b]) => [{ [name]: a }, { [name]: b }])
      const [a, b] = values[field.type]
      return [[{ [name]: a }, { [name]: b }]]
    })
  for (const [before, after] of list(DOCUMENT_FIELDS.cataloge)) {
    const written = { before: { owner: { id: 'ana' }, ...before }, after: { owner: { id: 'ana' }, ...after } }
    expect(findProductSellers(written)[0], JSON.stringify(before)).toBe('ana')
  }
  for (const [before, after] of list(DOCUMENT_FIELDS.users))
    expect(findProfileSellers('ana', { before: { ...before }, after: { ...after } })).toEqual(['ana'])
})
