import { expect, it } from 'vitest'
import { findIdProblem } from '../../../src/domain/documents/page-id.ts'
import type { PageKind } from '../../../src/domain/documents/page-table.ts'
import {
  findEntry,
  findPage,
  findScope,
  formatPageFile,
  formatPagePath,
  formatRoutePath,
  listKinds,
  listPlaces,
  listTakenNames,
} from '../../../src/domain/documents/page-table.ts'

const FILES: Partial<Readonly<Record<PageKind, string>>> = {
  home: 'index.html',
  'not-found': '404.html',
  'unknown-catalogue': 'catalogo/404.html',
  catalogue: 'catalogo/ana.html',
  product: 'catalogo/ana/a 1.html',
  'unknown-product': 'catalogo/ana/404.html',
}

const createKey = (kind: PageKind) => ({
  kind,
  seller: findScope(kind) === 'site' ? null : 'ana',
  product: findScope(kind) === 'product' ? 'a 1' : null,
})

it.each(listKinds().filter((kind) => findEntry(kind).isAnswer !== true))(
  'gives pages of the kind %s a file by which they are found again',
  (kind) => {
    expect(formatPageFile(createKey(kind))).toBe(FILES[kind])
    expect(findPage(formatPageFile(createKey(kind)))).toEqual(createKey(kind))
  },
)

it('finds no page in other files', () => {
  const files = [
    'buscar.html',
    'robots.txt',
    'catalogo/ana',
    'catalogo/a/b/c.html',
    'xcatalogo/ana.html',
    'aindex.html',
  ]
  expect(files.map(findPage)).toEqual(files.map(() => null))
})

it('encodes ids in links', () => {
  expect(formatPagePath({ kind: 'product', seller: 'a/$&', product: 'ñ%' })).toBe(
    '/catalogo/a%2F%24%26/%C3%B1%25',
  )
  expect(formatRoutePath('unknown-product')).toBe('/catalogo/id/404')
  expect(formatRoutePath('home')).toBe('/')
})

it('forbids ids with the names of other pages in their place', () => {
  expect([...new Set(listTakenNames())]).toEqual(['404'])
  for (const name of listTakenNames()) expect(findIdProblem(name)).toBe('is an address of the site itself')
})

it('names what pages occupy in the output folder', () => {
  expect(listPlaces().toSorted()).toEqual(['404.html', 'catalogo', 'index.html'])
})

it('has no two kinds of pages with one file', () => {
  const files = listKinds().map((kind) => formatPageFile(createKey(kind)))
  expect(new Set(files).size).toBe(files.length)
})
