import { expect, test } from 'vitest'
import type { Product } from '../../../src/domain/documents/product.ts'
import { NO_PHOTO } from '../../../src/domain/pages/paths.ts'
import type { Picture } from '../../../src/domain/photos/picture.ts'
import { formatTransformations } from '../../../src/domain/photos/transformations.ts'
import { formatSearchFile } from '../../../src/domain/search/format-search-file.ts'
import type { SearchCard } from '../../../src/domain/search/search-card.ts'
import { parseSearchFile } from '../../../src/domain/search/search-file.ts'
import { openSearchFiles } from '../../../src/domain/search/search-files.ts'
import { SWITCHES } from '../../support/search/search-assets.ts'
import { createEntry, createProduct } from '../../support/search/search-oracle.ts'

const ADDRESS = 'https://photos.example/a.jpg'

function pass(parts: Partial<Product>, picture: Picture | null = null, switches = SWITCHES): SearchCard {
  const entry = createEntry('ana', 'Ana', [createProduct('p 1', 'Bleu', parts)])
  const photos = new Map(picture === null ? [] : [[ADDRESS, picture]])
  const file = parseSearchFile(formatSearchFile([{ ...entry, photos }], 1, switches))
  const [found] = openSearchFiles([file])({ query: 'bleu', decants: 'todos' }).products
  if (found === undefined) throw new Error('nothing was found')
  return found
}

test('a card has the name, the prices and the available decants', () => {
  const offered = { price: 300, available: true }
  expect(pass({ price: null, _5ml: offered, _10ml: { price: 500, available: false } })).toMatchObject({
    name: 'Bleu',
    price: null,
    decants: 'Decants: 5ML RD$300',
  })
})

test('a card leads to the page of its product, or to its place in the catalogue', () => {
  expect(pass({}).link).toBe('/p%201')
  expect(pass({}, null, { ...SWITCHES, productPages: false }).link).toBe('#p-p_00201')
})

test('a card shows the smallest size of a picture, and its JPEG to old browsers', () => {
  const sources = [344, 496].map((width) => ({ path: `fotos/a-${width}.avif`, width }))
  const picture = { type: 'image/avif', sources, tone: 7, fallback: 'fotos/a.jpg' }
  expect(pass({ photo: ADDRESS }, picture)).toMatchObject({
    photo: '/fotos/a.jpg',
    srcset: '/fotos/a-344.avif',
    type: 'image/avif',
    tone: 7,
  })
  const made = formatTransformations(ADDRESS)
  expect(pass({ photo: ADDRESS }, made)).toMatchObject({
    photo: ADDRESS,
    srcset: `/${made.sources[0]?.path}`,
    type: null,
    tone: null,
  })
})

test('without a picture, a card shows only photos of the site', () => {
  expect(pass({ photo: '/fotos/a.svg' })).toMatchObject({ photo: '/fotos/a.svg', srcset: '' })
  for (const photo of [ADDRESS, 'http://photos.example/a.svg', null])
    expect(pass({ photo }).photo).toBe(NO_PHOTO)
})
