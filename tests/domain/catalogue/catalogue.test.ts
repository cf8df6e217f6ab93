import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { createCatalogue } from '../../../src/domain/catalogue/catalogue.ts'
import type { Product } from '../../../src/domain/documents/product.ts'
import type { Profile } from '../../../src/domain/documents/seller.ts'
import { createProduct } from '../../support/search/search-oracle.ts'

const ANA = { fName: 'Ana', lName: 'Pérez', whatsapp: null }

const create = (name: string, id = name): Product =>
  createProduct(id, name, { price: null, available: false })

function sortNames(names: readonly string[]): readonly string[] {
  return createCatalogue(
    'ana',
    null,
    names.map((name) => create(name)),
  ).products.map(({ name }) => name)
}

test('in a catalogue, ñ comes after n and before o', () => {
  expect(sortNames(['Oro', 'Ñandú', 'Nuez', 'Nz', 'ñ', 'Nácar'])).toEqual([
    'Nácar',
    'Nuez',
    'Nz',
    'ñ',
    'Ñandú',
    'Oro',
  ])
})

test('accents and capitals do not change the order of a catalogue', () => {
  expect(sortNames(['Azul', 'ámbar', 'Alba', 'ácido', 'zeta', 'Éter', 'eco'])).toEqual([
    'ácido',
    'Alba',
    'ámbar',
    'Azul',
    'eco',
    'Éter',
    'zeta',
  ])
})

test('an accent breaks ties between otherwise equal names, before the id does', () => {
  expect(sortNames(['Más b', 'Mas c', 'Mas a'])).toEqual(['Mas a', 'Más b', 'Mas c'])
  const { products } = createCatalogue('ana', null, [create('Más', '1'), create('Mas', '2')])
  expect(products.map(({ name }) => name)).toEqual(['Mas', 'Más'])
})

test('products of equal name are ordered by id', () => {
  const ids = ['b', 'a', 'B', '10', '9', 'ñ', 'ab']
  const { products } = createCatalogue(
    'ana',
    null,
    ids.map((id) => create('Igual', id)),
  )
  expect(products.map(({ id }) => id)).toEqual(['10', '9', 'B', 'a', 'ab', 'b', 'ñ'])
})

test('a catalogue does not depend on the order of its documents, whose list is not mutated', () => {
  const products = ['Bleu', 'ámbar', 'Ñandú', 'Bleu'].map((name, index) => create(name, `p${index}`))
  const before = products.map(({ id }) => id)
  const one = createCatalogue('ana', null, products)
  expect(createCatalogue('ana', null, products.toReversed())).toEqual(one)
  expect(products.map(({ id }) => id)).toEqual(before)
})

test('a catalogue does not depend on the time zone and the locale of the machine', () => {
  const module = new URL('../../../src/domain/catalogue/catalogue.ts', import.meta.url).href
  const names = ['Zorro', 'Ñandú', 'Nuez', 'ámbar', 'Åre', 'Ödla', 'chal', 'cosa', 'llave', 'luz', 'İz']
  const code = `
    import { createCatalogue } from ${JSON.stringify(module)}
    const products = ${JSON.stringify(names)}.map((name) => ({ id: name, name }))
    console.log(JSON.stringify(createCatalogue('ana', null, products).products.map(({ name }) => name)))`
  const sort = (env: Record<string, string>): string =>
    execFileSync(process.execPath, ['--input-type=module', '--eval', code], {
      env: { PATH: process.env['PATH'], ...env },
      encoding: 'utf8',
    })
  const places = [
    { TZ: 'UTC', LANG: 'C', LC_ALL: 'C' },
    { TZ: 'Asia/Tokyo', LANG: 'sv_SE.UTF-8', LC_ALL: 'sv_SE.UTF-8' },
    { TZ: 'America/Santo_Domingo', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
  ]
  expect(new Set(places.map(sort))).toEqual(new Set([`${JSON.stringify(sortNames(names))}\n`]))
})

test('a catalogue is named after its seller, or with the placeholder without a profile', () => {
  expect(createCatalogue('ana', ANA, []).name).toBe('Ana Pérez')
  expect(createCatalogue('ana', null, [])).toEqual({
    seller: 'ana',
    name: 'Jhon Doe',
    whatsapp: null,
    products: [],
  })
})

test('a catalogue has the number of its seller', () => {
  expect(createCatalogue('ana', { ...ANA, whatsapp: '18095550100' }, []).whatsapp).toBe('18095550100')
})

test('a profile that an earlier version stored has no number', () => {
  const stored = JSON.parse('{"fName":"Ana","lName":"Pérez"}') as Profile
  expect(createCatalogue('ana', stored, []).whatsapp).toBeNull()
})
