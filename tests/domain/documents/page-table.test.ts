import { expect, it } from 'vitest'
import { findIdProblem } from '../../../src/domain/documents/page-id.ts'
import type { AnyKind } from '../../../src/domain/documents/page-table.ts'
import { findScope, listKinds } from '../../../src/domain/documents/page-table.ts'
import {
  findPage,
  formatPageFile,
  formatPagePath,
  formatRoutePath,
  isTakenName,
  listPlaces,
} from '../../../src/domain/documents/page-address.ts'

const FILES: Readonly<Record<AnyKind, string>> = {
  home: 'index.html',
  'not-found': '404.html',
  'unknown-catalogue': 'catalogo/404.html',
  catalogue: 'catalogo/ana.html',
  product: 'catalogo/ana/a 1.html',
  'unknown-product': 'catalogo/ana/404.html',
  feed: 'catalogo/ana/feed.xml',
  poster: 'catalogo/ana/cartel.html',
  search: 'buscar.html',
  'sitemap-home': 'sitemaps/home.xml',
  'sitemap-index': 'sitemap.xml',
  'sitemap-bucket': 'sitemaps/0f.xml',
  'search-file': 'buscar/0f.txt',
}

const createKey = (kind: AnyKind) => ({
  kind,
  seller: findScope(kind) === 'site' ? null : 'ana',
  product: findScope(kind) === 'product' ? 'a 1' : null,
  ...((kind === 'sitemap-bucket' || kind === 'search-file') && { bucket: '0f' }),
})

it.each(listKinds())(
  'the table of pages gives pages of the kind %s a file by which they are found again',
  (kind) => {
    const key = createKey(kind)
    expect(formatPageFile(key)).toBe(FILES[kind])
    expect(findPage(FILES[kind])).toEqual(key)
  },
)

it('the table of pages finds no page in other files', () => {
  const files = [
    'robots.txt',
    'catalogo/ana',
    'catalogo/a/b/c.html',
    'xcatalogo/ana.html',
    'aindex.html',
    'sitemaps/0g.xml',
    'sitemaps/0fa.xml',
    'sitemapxxml',
  ]
  expect(files.map((file) => findPage(file))).toEqual(files.map(() => null))
})

it('the table of pages encodes ids in links', () => {
  expect(formatPagePath({ kind: 'product', seller: 'a/$&', product: 'ñ%' })).toBe(
    '/catalogo/a%2F%24%26/%C3%B1%25',
  )
  expect(formatRoutePath('unknown-product')).toBe('/catalogo/id/404')
  expect(formatRoutePath('home')).toBe('/')
})

it('the table of pages forbids ids with the names of other pages in their place', () => {
  const names = ['404', 'home', 'sitemap.xml', 'catalogo', 'buscar', '', '{product}']
  expect(names.filter((name) => isTakenName(name, {}))).toEqual(['404'])
  expect(findIdProblem('404')).toBe('is an address of the site itself')
})

it('the table of pages names what pages occupy in the output folder', () => {
  expect(listPlaces().toSorted()).toEqual([
    '404.html',
    'buscar',
    'buscar.html',
    'catalogo',
    'index.html',
    'sitemap.xml',
    'sitemaps',
  ])
})

it('the table of pages has no two kinds of pages with one file', () => {
  const files = listKinds().map((kind) => formatPageFile(createKey(kind)))
  expect(new Set(files).size).toBe(files.length)
})
