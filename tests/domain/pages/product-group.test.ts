import { expect, test } from 'vitest'
import type { Product } from '../../../src/domain/documents/product.ts'
import { createProductGroup, findProductImage } from '../../../src/domain/pages/product-group.ts'

const NONE = { price: null, available: false }
const PRODUCT: Product = {
  id: 'p1',
  name: 'Ángel «Nova» & más',
  photo: null,
  price: 6_400,
  available: false,
  _5ml: { price: 450.5, available: true },
  _10ml: NONE,
}
const CONTEXT = {
  address: 'https://vitrina.example/catalogo/ana/p1',
  image: 'https://vitrina.example/fotos/a.jpg',
  seller: 'Ana Peña',
  sizes: { bottle: 'Frasco', _5ml: '5ML', _10ml: '10ML' },
}

const variant = (name: string, sku: string, size: string, offer: object): object => ({
  '@type': 'Product',
  name,
  sku,
  size,
  image: CONTEXT.image,
  offers: {
    '@type': 'Offer',
    url: CONTEXT.address,
    priceCurrency: 'DOP',
    seller: { '@type': 'Organization', name: 'Ana Peña' },
    ...offer,
  },
})

test('has a variant for each size with a price, in stock or not', () => {
  expect(createProductGroup(PRODUCT, CONTEXT)).toEqual({
    '@context': 'https://schema.org',
    '@type': 'ProductGroup',
    name: PRODUCT.name,
    url: CONTEXT.address,
    image: CONTEXT.image,
    productGroupID: 'p1',
    variesBy: ['https://schema.org/size'],
    hasVariant: [
      variant(PRODUCT.name, 'p1-frasco', 'Frasco', {
        price: 6_400,
        availability: 'https://schema.org/OutOfStock',
      }),
      variant(`${PRODUCT.name} 5ML`, 'p1-5ml', '5ML', {
        price: 450.5,
        availability: 'https://schema.org/InStock',
      }),
    ],
  })
})

test('says nothing of a product without any price', () => {
  expect(createProductGroup({ ...PRODUCT, price: null, _5ml: NONE }, CONTEXT)).toBeNull()
})

test('has the prices that the page shows', () => {
  const product = { ...PRODUCT, price: 1_234.5678, _5ml: { price: 1e-7, available: true } }
  const text = JSON.stringify(createProductGroup(product, CONTEXT))
  expect(text.match(/"price":[^,]*/g)).toEqual(['"price":1234.57', '"price":0'])
})

test('its picture is the preview, else the photo, which may be a path of the site', () => {
  const site = { url: 'https://vitrina.example' }
  const preview = { path: 'fotos/a.jpg', width: 300, height: 300 }
  const photo = 'https://photos.example/a.jpg'
  const find = (of: { photo: string | null; preview: typeof preview | null }): string | null =>
    findProductImage({ product: { ...PRODUCT, photo: of.photo }, preview: of.preview }, site)
  expect(find({ photo, preview })).toBe('https://vitrina.example/fotos/a.jpg')
  expect(find({ photo, preview: null })).toBe(photo)
  expect(find({ photo: '/muestra/a.svg', preview: null })).toBe('https://vitrina.example/muestra/a.svg')
  expect(find({ photo: null, preview: null })).toBeNull()
})
