import { expect, test } from 'vitest'
import type { Product } from '../../../src/domain/documents/product.ts'
import {
  createBreadcrumbs,
  createProductGroup,
  findOffer,
  findProductImage,
} from '../../../src/domain/pages/product-group.ts'

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
  description: 'RD$6,400, agotado.',
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
    priceCurrency: 'DOP',
    itemCondition: 'https://schema.org/NewCondition',
    seller: { '@type': 'Organization', name: 'Ana Peña' },
    ...offer,
  },
})

test('the structured data of a product has a variant with its own address for each size with a price, in stock or not', () => {
  expect(createProductGroup(PRODUCT, CONTEXT)).toEqual({
    '@context': 'https://schema.org',
    '@type': 'ProductGroup',
    name: PRODUCT.name,
    description: CONTEXT.description,
    url: CONTEXT.address,
    image: CONTEXT.image,
    productGroupID: 'p1',
    variesBy: ['https://schema.org/size'],
    hasVariant: [
      variant(PRODUCT.name, 'p1-frasco', 'Frasco', {
        url: CONTEXT.address,
        price: 6_400,
        availability: 'https://schema.org/OutOfStock',
      }),
      variant(`${PRODUCT.name} 5ML`, 'p1-5ml', '5ML', {
        url: `${CONTEXT.address}?tamano=5ml`,
        price: 450.5,
        availability: 'https://schema.org/InStock',
      }),
    ],
  })
})

test('the structured data of a product says nothing of a product without any price above 0', () => {
  expect(createProductGroup({ ...PRODUCT, price: null, _5ml: NONE }, CONTEXT)).toBeNull()
  const free = { price: 0, available: true }
  expect(createProductGroup({ ...PRODUCT, ...free, _5ml: free, _10ml: free }, CONTEXT)).toBeNull()
})

test('the structured data of a product has the prices that the page shows', () => {
  const product = { ...PRODUCT, price: 1_234.5678, _5ml: { price: 0.005, available: true } }
  const text = JSON.stringify(createProductGroup(product, CONTEXT))
  expect(text.match(/"price":[^,]*/g)).toEqual(['"price":1234.57', '"price":0.01'])
})

test('the structured data of a product has no variant for a size whose price is shown as 0', () => {
  const product = { ...PRODUCT, price: 0, _10ml: { price: 0.004, available: true } }
  const text = JSON.stringify(createProductGroup(product, CONTEXT))
  expect(text.match(/"sku":[^,]*/g)).toEqual(['"sku":"p1-5ml"'])
})

test('the offer of a product in previews is the first size with a price, one in stock before others', () => {
  const stocked = { price: 300, available: true }
  expect(findOffer({ ...PRODUCT, available: true })).toEqual({ price: 6_400, available: true })
  expect(findOffer({ ...PRODUCT, _5ml: NONE, _10ml: stocked })).toEqual(stocked)
  expect(findOffer({ ...PRODUCT, _5ml: NONE })).toEqual({ price: 6_400, available: false })
  expect(findOffer({ ...PRODUCT, price: null, _5ml: NONE })).toBeNull()
})

test('the offer of a product in previews is no size that costs nothing', () => {
  const [free, stocked] = [0, 450].map((price) => ({ price, available: true }))
  expect(findOffer({ ...PRODUCT, ...free, _5ml: NONE, _10ml: stocked ?? NONE })).toEqual(stocked)
  expect(findOffer({ ...PRODUCT, ...free, _5ml: { price: 0.004, available: true } })).toBeNull()
})

test('the trail of a product leads from the home page through the catalogue', () => {
  const step = (position: number, name: string, item: string): object => ({
    '@type': 'ListItem',
    position,
    name,
    item,
  })
  const trail = [
    { name: 'Inicio', address: 'https://vitrina.example/' },
    { name: 'Ana Peña', address: 'https://vitrina.example/catalogo/ana' },
  ]
  expect(createBreadcrumbs(trail)).toEqual({
    '@context': 'https://schema.org',
    '@type': 'BreadcrumbList',
    itemListElement: [
      step(1, 'Inicio', 'https://vitrina.example/'),
      step(2, 'Ana Peña', 'https://vitrina.example/catalogo/ana'),
    ],
  })
})

test('the picture of a product in structured data is its preview, else its photo, which may be a path of the site, and never the seller’s', () => {
  const site = { url: 'https://vitrina.example' }
  const preview = { path: 'fotos/a.jpg', width: 300, height: 300 }
  const photo = 'https://photos.example/a.jpg'
  const find = (of: { photo: string | null; preview: typeof preview | null }): string | null =>
    findProductImage({ product: { ...PRODUCT, photo: of.photo }, preview: of.preview }, site)
  expect(find({ photo, preview })).toBe('https://vitrina.example/fotos/a.jpg')
  expect(find({ photo, preview: null })).toBe(photo)
  expect(find({ photo: '/muestra/a.svg', preview: null })).toBe('https://vitrina.example/muestra/a.svg')
  const collage = { path: 'social/a.jpg', width: 1200, height: 630 }
  expect(find({ photo, preview: collage })).toBe(photo)
  expect(find({ photo: null, preview: collage })).toBeNull()
  expect(find({ photo: null, preview: null })).toBeNull()
})
