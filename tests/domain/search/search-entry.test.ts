import { expect, it } from 'vitest'
import { createCatalogue } from '../../../src/domain/catalogue/catalogue.ts'
import { createSellerData } from '../../../src/domain/objects/object-data.ts'
import { NO_PICTURES } from '../../../src/domain/photos/picture.ts'
import { createSearchEntry, digestEntry } from '../../../src/domain/search/search-entry.ts'
import { createProduct } from '../../support/search/search-entries.ts'

const PARTS = { pictures: NO_PICTURES, previews: {}, hasProfile: true, updated: '' }
const PICTURE = { type: 'image/webp', sources: [{ path: 'fotos/a.webp', width: 344 }], tone: 3 }
const PRODUCTS = [createProduct('b', 'Bleu', { photo: '/b.jpg' }), createProduct('a', 'Eros')]

it('an entry holds the products of a seller with their pictures, by id', () => {
  const catalogue = createCatalogue('ana', { fName: 'Ana', lName: '', whatsapp: null }, PRODUCTS)
  const pictures = { photos: { '/b.jpg': PICTURE }, social: null }
  expect(createSearchEntry(createSellerData(catalogue, { ...PARTS, pictures }))).toEqual({
    seller: { id: 'ana', name: 'Ana' },
    products: [
      { product: PRODUCTS[1], picture: null },
      { product: PRODUCTS[0], picture: PICTURE },
    ],
  })
})

it('a seller without products has no entry', async () => {
  expect(createSearchEntry(createSellerData(createCatalogue('ana', null, []), PARTS))).toBeNull()
  expect(await digestEntry(null)).toBeNull()
})

it('the digest changes with what is shown, not with the rest', async () => {
  const digest = (parts: object, products = PRODUCTS, name = 'Ana') => {
    const catalogue = createCatalogue('ana', { fName: name, lName: '', whatsapp: '18095550100' }, products)
    return digestEntry(createSearchEntry(createSellerData(catalogue, { ...PARTS, ...parts })))
  }
  const usual = await digest({})
  expect(await digest({ updated: '2026-01-01T00:00:00Z', hasProfile: false })).toBe(usual)
  expect(await digest({}, PRODUCTS.toReversed())).toBe(usual)
  expect(await digest({}, PRODUCTS, 'Bea')).not.toBe(usual)
  expect(await digest({}, [...PRODUCTS, createProduct('c', 'Angel')])).not.toBe(usual)
  expect(await digest({ pictures: { photos: { '/b.jpg': PICTURE }, social: null } })).not.toBe(usual)
})
