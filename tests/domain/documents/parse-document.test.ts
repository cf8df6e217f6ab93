import { expect, test, it } from 'vitest'
import type { Problem, SourceDocument } from '../../../src/domain/documents/document.ts'
import { COLLECTIONS, readField } from '../../../src/domain/documents/document.ts'
import { parseDocument } from '../../../src/domain/documents/parse-document.ts'
import { product, user } from '../../support/rebuild/documents.ts'
import { NO_MAPS } from '../../support/rebuild/hostile.ts'

const parse = (document: SourceDocument) => {
  const problems: Problem[] = []
  return { entry: parseDocument(document, (problem) => problems.push(problem)), problems }
}

test('a document of users becomes a profile under its id', () => {
  expect(parse(user('ana', 'Ana', 'Pérez'))).toEqual({
    entry: { kind: 'profile', seller: 'ana', profile: { fName: 'Ana', lName: 'Pérez', whatsapp: null } },
    problems: [],
  })
})

test('a document of cataloge becomes a product of its owner, under the id of the document', () => {
  const { entry, problems } = parse(product('p1', 'luz', { id: 'something else' }))
  expect(entry).toMatchObject({ kind: 'product', seller: 'luz', product: { id: 'p1' } })
  expect(problems).toEqual([])
})

test('a document that is not a map of fields is dropped and reported', () => {
  for (const collection of COLLECTIONS) {
    for (const data of NO_MAPS) {
      const { entry, problems } = parse({ collection, id: 'x', updateTime: null, data })
      expect(entry).toBeNull()
      expect(problems).toEqual([
        { collection, id: 'x', field: '', reason: 'is not a map of fields', fatal: true },
      ])
    }
  }
})

test('a profile whose id cannot have a page is dropped and reported', () => {
  for (const id of ['404', '..', 'a/b', 'n\u0303', '\u0000', 'a'.repeat(300)]) {
    const { entry, problems } = parse(user(id))
    expect(entry).toBeNull()
    expect(problems).toMatchObject([{ collection: 'users', id, field: '', fatal: true }])
  }
})

test('problems of a document name collection, id, field and reason', () => {
  const { entry, problems } = parse(product('p1', 'luz', { price: 'mucho', photo: 'javascript:1' }))
  expect(entry).not.toBeNull()
  expect(problems).toEqual([
    {
      collection: 'cataloge',
      id: 'p1',
      field: 'photo',
      reason:
        'is not an http(s) address (without a user name) or a path of the site, of at most 2,000 characters',
      fatal: false,
    },
    {
      collection: 'cataloge',
      id: 'p1',
      field: 'price',
      reason: 'is not an amount, such as 3500 or RD$3,500.50',
      fatal: false,
    },
  ])
})

test('only own properties of the document are read', () => {
  expect(readField({ a: 1 }, 'a')).toBe(1)
  expect(readField(JSON.parse('{"__proto__":7}'), '__proto__')).toBe(7)
  for (const value of [{}, [], 'text', null, undefined, 5]) {
    for (const key of ['toString', 'constructor', '__proto__', 'length0'])
      expect(readField(value, key)).toBeUndefined()
  }
})

it('a path of the public folder never leads to another host or out of the folder', () => {
  for (const photo of [
    '/..//evil.example/x.png',
    '/.//evil.example/x',
    '/a/..//evil.example',
    '/%2e%2e%2f%2e%2e%2fetc/passwd',
    '/..%5c..%5cx',
  ]) {
    const entry = parseDocument(product('p', 'ana', { photo }), () => {})
    const shown = entry?.kind === 'product' ? entry.product.photo : 'x'
    expect(shown ?? '/').not.toMatch(/^\/\/|%2f|%5c/i)
  }
})

it('a reason contains no text of the document', () => {
  const reasons: string[] = []
  parseDocument(product('p', 'ana', { available: `\u001b[31m${'x'.repeat(1_000_000)}` }), ({ reason }) =>
    reasons.push(reason),
  )
  expect(reasons.join('').length).toBeLessThan(200)
})
