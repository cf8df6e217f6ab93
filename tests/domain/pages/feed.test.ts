/** Product feeds follow the rules of the fields in both shops. Sources: those of feed.ts. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCatalogue } from '../../../src/domain/catalogue/catalogue.ts'
import { findIdProblem } from '../../../src/domain/documents/page-id.ts'
import type { Product } from '../../../src/domain/documents/product.ts'
import { createFeedPage, formatFeed } from '../../../src/domain/pages/feed.ts'
import type { SellerParts } from '../../../src/domain/pages/seller-parts.ts'
import { NO_PICTURES } from '../../../src/domain/photos/picture.ts'
import { formatTransformations } from '../../../src/domain/photos/transformations.ts'
import { createSite } from '../../support/site.ts'

const PHOTO = 'https://photos.example/uno.png'
const SITE = createSite({ url: 'https://vitrina.example', feeds: true })
const PREVIEW = { path: 'fotos/uno.jpg', width: 1080, height: 1440 }

const createProduct = (overrides: Partial<Product> = {}): Product => ({
  id: 'abc',
  name: 'Bleu',
  photo: PHOTO,
  price: 2600,
  available: true,
  _5ml: { price: 250, available: true },
  _10ml: { price: null, available: true },
  ...overrides,
})

function createParts(products: readonly Product[], preview = PREVIEW): SellerParts {
  const catalogue = createCatalogue('ana', { fName: 'Ana', lName: 'Peña', whatsapp: null }, products)
  const pictures = NO_PICTURES
  return { catalogue, pictures, previews: { [PHOTO]: preview } }
}

const format = (parts: SellerParts, site = SITE): string => formatFeed(createFeedPage(parts), site)

type Item = Readonly<Record<string, string>>

const TEXT = String.raw`[^<>&]*(?:&(?:amp|lt|gt|quot|apos);[^<>&]*)*`
const ELEMENT = new RegExp(`<g:(\\w+)>(${TEXT})</g:\\1>`, 'g')
const COMMENT = /^<!-- [^<>-]+ -->$/
const HEAD = new RegExp(`^<(title|link|description)>${TEXT}</\\1>$`)
const ENTITIES: Item = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Throws for anything but a well-formed feed: the format is so narrow that each line is checked whole. */
function parseFeed(text: string): { readonly items: readonly Item[]; readonly comment: string } {
  expect(text.isWellFormed()).toBe(true)
  expect(text).toMatch(/^[\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]*$/u)
  const lines = text.split('\n')
  expect(lines.slice(0, 2)).toEqual([
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel>',
  ])
  expect(lines.slice(-2)).toEqual(['</channel></rss>', ''])
  for (const line of lines.slice(2, 5)) expect(line).toMatch(HEAD)
  const rest = lines.slice(5, -2)
  const comment = rest.findIndex((line) => !line.startsWith('<item>'))
  const items = comment === -1 ? rest : rest.slice(0, comment)
  const others = comment === -1 ? [] : rest.slice(comment)
  expect(others.every((line) => COMMENT.test(line)) && others.length < 2).toBe(true)
  return { items: items.map(parseItem), comment: rest[comment] ?? '' }
}

function parseItem(line: string): Item {
  const inner = line.slice('<item>'.length, -'</item>'.length)
  expect(line).toBe(`<item>${inner}</item>`)
  expect(inner.replaceAll(ELEMENT, '')).toBe('')
  return Object.fromEntries(
    [...inner.matchAll(ELEMENT)].map(([, name = '', text = '']) => [
      name,
      text.replaceAll(/&(\w+);/g, (_, entity: string) => ENTITIES[entity] ?? ''),
    ]),
  )
}

/** The rules of both shops for each field. */
const RULES: Readonly<Record<string, RegExp>> = {
  id: /^\S{1,50}$/,
  title: /^(?=\S)[^]{1,150}$/,
  description: /^(?=\S)[^]{1,5000}$/,
  link: /^https:\/\/vitrina\.example\/[!-~]{1,1900}$/,
  image_link: /^https:\/\/vitrina\.example\/[!-~]+$/,
  availability: /^(in stock|out of stock)$/,
  price: /^(?!0\.00 )\d+\.\d\d DOP$/,
  condition: /^new$/,
  item_group_id: /^\S{1,50}$/,
  size: /^(Frasco|5ML|10ML)$/,
  identifier_exists: /^no$/,
}

function checkItems(items: readonly Item[]): void {
  for (const item of items) {
    expect(Object.keys(item)).toEqual(Object.keys(RULES))
    for (const [name, rule] of Object.entries(RULES)) expect(item[name]).toMatch(rule)
  }
  const ids = items.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
}

describe('a product feed', () => {
  it('has an item for the bottle and for each decant with a price', () => {
    const { items, comment } = parseFeed(format(createParts([createProduct({ price: 2600.5 })])))
    checkItems(items)
    expect(items.map(({ id, title, price, size, link }) => [id, title, price, size, link])).toEqual([
      ['abc-frasco', 'Bleu', '2600.50 DOP', 'Frasco', 'https://vitrina.example/catalogo/ana/abc'],
      ['abc-5ml', 'Bleu 5ML', '250.00 DOP', '5ML', 'https://vitrina.example/catalogo/ana/abc?tamano=5ml'],
    ])
    expect(new Set(items.map((item) => item['item_group_id']))).toEqual(new Set(['abc']))
    expect(comment).toBe('')
  })

  it('describes each size without the price and the stock of another one', () => {
    const { items } = parseFeed(format(createParts([createProduct({ available: false })])))
    expect(items.map(({ description, availability }) => [description, availability])).toEqual([
      ['Bleu. Catálogo de Ana Peña.', 'out of stock'],
      ['Bleu 5ML. Catálogo de Ana Peña.', 'in stock'],
    ])
  })

  it('leads to the card of a product without a page', () => {
    const read = (site = SITE, id = 'abc'): unknown =>
      parseFeed(format(createParts([createProduct({ id })]), site)).items.map(({ link }) => link)
    const links = (id: string): readonly string[] =>
      Array.from({ length: 2 }, () => `https://vitrina.example/catalogo/ana#p-${id}`)
    expect(read({ ...SITE, productPages: false })).toEqual(links('abc'))
    expect(read(SITE, 'feed.xml')).toEqual(links('feed_002exml'))
  })

  it('counts what it leaves out in a comment', () => {
    const products = [
      createProduct(),
      createProduct({ id: 'free', price: 0, _5ml: { price: null, available: true } }),
      createProduct({ id: 'bare', photo: null }),
      createProduct({ id: 'a b' }),
      createProduct({ id: 'x'.repeat(44) }),
    ]
    const { items, comment } = parseFeed(format(createParts(products)))
    expect(items.length).toBe(2)
    expect(comment).toBe(
      '<!-- Aquí no están: 1 producto sin precio, 1 producto sin foto que se pueda mostrar a 500 píxeles, 2 productos con un código que no cabe. -->',
    )
  })

  it('takes only photos of at least 500 pixels, as JPEG of the site', () => {
    const read = (parts: SellerParts): unknown =>
      parseFeed(format(parts)).items.map((item) => item['image_link'])
    expect(read(createParts([createProduct()], { ...PREVIEW, height: 499 }))).toEqual([])
    const image = 'https://vitrina.example/fotos/uno.jpg'
    expect(read(createParts([createProduct()], { ...PREVIEW, height: 500 }))).toEqual([image, image])
    const parts = createParts([createProduct()])
    const pictures = { photos: new Map([[PHOTO, formatTransformations(PHOTO)]]), social: null }
    const made =
      'https://vitrina.example/cdn-cgi/image/width=1080,height=1080,fit=pad,background=white,format=jpeg/'
    expect(read({ ...parts, pictures, previews: {} })).toEqual([made + PHOTO, made + PHOTO])
    // The original may be of any type.
    expect(read({ ...parts, previews: {} })).toEqual([])
  })

  it('follows the rules of the fields with any data', () => {
    expect.hasAssertions()
    const part = fc.constantFrom(
      '<',
      '&',
      ']]>',
      '--',
      '-->',
      '\0',
      '\u001b',
      '\uD800',
      '\uFFFE',
      '\u{1F600}',
    )
    const text = fc
      .array(fc.oneof(part, fc.string({ unit: 'binary', maxLength: 40 })), { minLength: 1, maxLength: 30 })
      .map((parts) => `x${parts.join('').replaceAll(/[\n\r]/g, ' ')}`)
    const price = fc.oneof(fc.constant(null), fc.double({ min: 0, max: 999_999_999, noNaN: true }))
    const decant = fc.record({ price, available: fc.boolean() })
    const product = fc.record({
      id: fc.oneof(text, fc.stringMatching(/^\w{6,28}$/)).filter((id) => findIdProblem(id) === null),
      name: text,
      photo: fc.constantFrom(PHOTO, null),
      price,
      available: fc.boolean(),
      _5ml: decant,
      _10ml: decant,
    })
    fc.assert(
      fc.property(
        fc.uniqueArray(product, { selector: ({ id }) => id, maxLength: 8 }),
        text,
        (products, name) => {
          const parts = createParts(products)
          const catalogue = { ...parts.catalogue, name }
          checkItems(parseFeed(format({ ...parts, catalogue }, { ...SITE, name })).items)
        },
      ),
    )
  })
})
