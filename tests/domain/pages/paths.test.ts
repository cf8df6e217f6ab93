import { expect, test } from 'vitest'
import {
  formatCatalogueFile,
  formatCataloguePath,
  formatProductAnchor,
  formatProductFile,
  formatProductLink,
  parseProductAnchor,
} from '../../../src/domain/pages/paths.ts'
import { createSite } from '../../support/site.ts'

const PAGES = createSite()

test('an address is encoded, so that its last segment decodes to the id', () => {
  for (const id of ['ana', 'perfumería', 'a b', 'a%2Fb', 'a?b#c', '"><script>', '😀', "o'brien"]) {
    const url = new URL(formatCataloguePath(id), 'https://vitrina.do')
    expect([url.search, url.hash, url.origin]).toEqual(['', '', 'https://vitrina.do'])
    expect(url.pathname.split('/').map(decodeURIComponent)).toEqual(['', 'catalogo', id])
  }
})

test('an encoded address cannot end an attribute', () => {
  expect(formatCataloguePath('"><')).toBe('/catalogo/%22%3E%3C')
})

test('the name of a catalogue’s file contains the id unchanged', () => {
  expect(formatCatalogueFile('perfumería')).toBe('catalogo/perfumería.html')
  expect(formatCatalogueFile('a%2Fb')).toBe('catalogo/a%2Fb.html')
})

test('two ids never share a file or an address', () => {
  const ids = ['a', 'A', 'a ', 'a%20', 'á', 'a.', '%61']
  expect(new Set(ids.map(formatCatalogueFile)).size).toBe(ids.length)
  expect(new Set(ids.map(formatCataloguePath)).size).toBe(ids.length)
})

test('a product with a plain id has an anchor of that name', () => {
  expect(formatProductAnchor('9YxJMS9pdOzfiqQ8iOr6')).toBe('p-9YxJMS9pdOzfiqQ8iOr6')
})

test('a product’s link leads to its page', () => {
  expect(formatProductLink(PAGES, 'ana', 'café 1')).toBe('/catalogo/ana/caf%C3%A9%201')
  expect(formatProductFile('ana', 'café 1')).toBe('catalogo/ana/café 1.html')
})

test.each(['404', 'index', 'a/b', 'a\u0301', 'x.html', '..', '\ud83d'])(
  'a product with the id %j has no page, and its link leads to its card',
  (id) => {
    expect(formatProductLink(PAGES, 'ana', id)).toBe(`/catalogo/ana#${formatProductAnchor(id)}`)
  },
)

test('without product pages, a product’s link leads to its card', () => {
  expect(formatProductLink(createSite({ productPages: false }), 'ana', 'café')).toBe(
    '/catalogo/ana#p-caf_00e9',
  )
})

test('anchors lead back to their product ids, and need no encoding in an address', () => {
  const ids = [
    '',
    'a',
    'A',
    'a b',
    'a_0020b',
    'á',
    'a\u0301',
    '%61',
    '"><script>',
    'a#b',
    '😀',
    '\ud83d',
    '\ude00',
  ]
  const anchors = ids.map(formatProductAnchor)
  expect(anchors.map(parseProductAnchor)).toEqual(ids)
  for (const anchor of anchors) {
    expect(anchor).toMatch(/^p-[\w-]*$/)
    expect(new URL(`https://vitrina.do/#${anchor}`).hash).toBe(`#${anchor}`)
  }
})
