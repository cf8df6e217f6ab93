import { expect, test } from 'vitest'
import type { Product } from '../../../src/domain/documents/product.ts'
import { createProductList, MOST_LISTED } from '../../../src/domain/pages/product-list.ts'
import { createSite } from '../../support/site.ts'
import { createProduct } from '../../support/search/search-oracle.ts'

const CONTEXT = {
  site: createSite({ url: 'https://vitrina.example', productPages: false }),
  seller: 'perfumería ana',
  sizes: { _5ml: '5ML', _10ml: '10ML' },
}
const URL = 'https://vitrina.example/catalogo/perfumer%C3%ADa%20ana#p-p'

const create = (parts: Partial<Product>): Product => createProduct('p', 'Bleu', { price: null, ...parts })

const list = (...products: readonly Product[]): unknown => createProductList(products, CONTEXT)

const inList = (...items: readonly object[]): unknown => ({
  '@context': 'https://schema.org',
  '@type': 'ItemList',
  itemListElement: items.map((item, index) => ({ '@type': 'ListItem', position: index + 1, item })),
})

const offer = (price: number, availability: string, name?: string): object => ({
  '@type': 'Offer',
  ...(name !== undefined && { name }),
  price,
  priceCurrency: 'DOP',
  availability: `https://schema.org/${availability}`,
})

test('the structured data of a catalogue offers each size with a price above 0, in stock or not, as the page shows it', () => {
  const product = create({
    price: 7200.505,
    _5ml: { price: 250, available: false },
    _10ml: { price: 550.5, available: true },
  })
  const offers = [offer(7200.51, 'InStock'), offer(250, 'OutOfStock', '5ML'), offer(550.5, 'InStock', '10ML')]
  const free = create({ price: 0, _5ml: { price: 0.004, available: true } })
  const item = { '@type': 'Product', name: 'Bleu', url: URL }
  expect(list(product, free)).toEqual(inList({ ...item, offers }, item))
})

test('the structured data of a catalogue lists only the first hundred products of a large catalogue', () => {
  const products = Array.from({ length: MOST_LISTED + 20 }, (_, index) => create({ name: `n${index}` }))
  const items = products.slice(0, MOST_LISTED).map(({ name }) => ({ '@type': 'Product', name, url: URL }))
  expect(list(...products)).toEqual(inList(...items))
})

test('the structured data of a catalogue gives photos their absolute address', () => {
  const photos = ['/muestra/a.svg', 'https://photos.example/b.jpg?alt=media&token=1']
  const images = ['https://vitrina.example/muestra/a.svg', 'https://photos.example/b.jpg?alt=media&token=1']
  const items = images.map((image) => ({ '@type': 'Product', name: 'Bleu', url: URL, image }))
  expect(list(...photos.map((photo) => create({ photo })))).toEqual(inList(...items))
})

test('the structured data of a catalogue has only the addresses of products with pages, and of the card of a product without one', () => {
  const products = ['p', 'á/1'].map((id) => create({ id, price: 1300 }))
  const site = { ...CONTEXT.site, productPages: true }
  expect(createProductList(products, { ...CONTEXT, site })).toEqual({
    '@context': 'https://schema.org',
    '@type': 'ItemList',
    itemListElement: [
      'https://vitrina.example/catalogo/perfumer%C3%ADa%20ana/p',
      'https://vitrina.example/catalogo/perfumer%C3%ADa%20ana#p-_00e1_002f1',
    ].map((url, index) => ({ '@type': 'ListItem', position: index + 1, url })),
  })
})
