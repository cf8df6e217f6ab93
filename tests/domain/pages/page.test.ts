import { expect, test } from 'vitest'
import { createCatalogue } from '../../../src/domain/catalogue/catalogue.ts'
import { HOME_ITEMS, HOME_STORES } from '../../../src/domain/pages/home.ts'
import type { ScreenPage } from '../../../src/domain/pages/page.ts'
import { createUnknownCataloguePage, readPage } from '../../../src/domain/pages/page.ts'
import { NO_PICTURES } from '../../../src/domain/photos/picture.ts'
import { createSite } from '../../support/site.ts'

const site = createSite({ url: 'http://localhost' })

const pages: readonly ScreenPage[] = [
  { kind: 'home', stores: ['1'], social: null },
  { kind: 'catalogue', catalogue: createCatalogue('ana', null, []), pictures: NO_PICTURES },
  createUnknownCataloguePage(),
  { kind: 'not-found' },
]

test('a route receives the data of its kind', () => {
  for (const page of pages) expect(readPage({ site, page }, page.kind)).toBe(page)
})

test('a route refuses the data of another kind', () => {
  for (const page of pages) {
    for (const { kind } of pages.filter((other) => other !== page))
      expect(() => readPage({ site, page }, kind)).toThrow(
        `expected the data of a ${kind} page, got ${page.kind}`,
      )
  }
})

test('the home page has the four samples of the specification, all of one store', () => {
  expect(HOME_ITEMS.map(({ name, category, price }) => [name, category, price])).toEqual([
    ['mouse', 'tech', 300],
    ['dress', 'cloth', 700],
    ['perfume', 'fragancia', 1300],
    ['hat', 'cloth', 800],
  ])
  expect(HOME_STORES).toEqual(['1'])
})
