import { expect, it } from 'vitest'
import { createCatalogue } from '../../../src/domain/catalogue/catalogue.ts'
import type { CataloguePictures } from '../../../src/domain/photos/picture.ts'
import { NO_PICTURES } from '../../../src/domain/photos/picture.ts'
import { createSearchEntry, digestEntry } from '../../../src/domain/search/search-entry.ts'
import { createProduct } from '../../support/search/search-entries.ts'

const PICTURE = { type: 'image/webp', sources: [{ path: 'fotos/a.webp', width: 344 }], tone: 3 }
const PRODUCTS = [createProduct('b', 'Bleu', { photo: '/b.jpg' }), createProduct('a', 'Eros')]

it('an entry holds the products of a seller with their pictures, by id', () => {
  const catalogue = createCatalogue('ana', { fName: 'Ana', lName: '', whatsapp: null }, PRODUCTS)
  const pictures = { photos: { '/b.jpg': PICTURE }, social: null }
  expect(createSearchEntry({ catalogue, pictures })).toEqual({
    seller: { id: 'ana', name: 'Ana' },
    products: [
      { product: PRODUCTS[1], picture: null },
      { product: PRODUCTS[0], picture: PICTURE },
    ],
  })
})

it('a seller without products has no entry', async () => {
  expect(createSearchEntry({ catalogue: createCatalogue('ana', null, []), pictures: NO_PICTURES })).toBeNull()
  expect(await digestEntry(null)).toBeNull()
})

it('the digest changes with what is shown, not with the rest', async () => {
  const digest = (products = PRODUCTS, name = 'Ana', pictures: CataloguePictures = NO_PICTURES) => {
    const catalogue = createCatalogue('ana', { fName: name, lName: '', whatsapp: '18095550100' }, products)
    return digestEntry(createSearchEntry({ catalogue, pictures }))
  }
  const usual = await digest()
  expect(await digest(PRODUCTS.toReversed())).toBe(usual)
  expect(await digest(PRODUCTS, 'Bea')).not.toBe(usual)
  expect(await digest([...PRODUCTS, createProduct('c', 'Angel')])).not.toBe(usual)
  const pictures = { photos: { '/b.jpg': PICTURE }, social: null }
  expect(await digest(PRODUCTS, 'Ana', pictures)).not.toBe(usual)
  expect(await digest(PRODUCTS, 'Ana', { photos: {}, social: 'social/a.jpg' })).toBe(usual)
})
