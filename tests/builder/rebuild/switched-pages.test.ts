/** Pages of sellers that a setting switches on: which files they are. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import type { PageSwitches } from '../../../src/domain/documents/page-switches.ts'
import { product, user } from '../../support/rebuild/documents.ts'
import { readFiles } from '../../support/run/files.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import { runInWorld } from '../../support/rebuild/world.ts'

const path = useTemporaryFolder()

const DOCUMENTS: readonly SourceDocument[] = [
  user('ana', 'Ana', ''),
  user('eva', 'Eva', ''),
  product('a1', 'ana'),
  product('a2', 'ana'),
  product('feed.xml', 'ana'),
  product('e1', 'eva'),
]

const run = (switches: Partial<PageSwitches>, documents = DOCUMENTS) =>
  runInWorld({ folder: path(), documents, switches: { productPages: true, ...switches } })

const listSeller = (seller: string): readonly string[] =>
  Object.keys(readFiles(path('dist', 'catalogo', seller))).toSorted()

describe('posters', () => {
  const POSTER = 'catalogo/ana/cartel.html'

  it('are files only where they are switched on, and take the address of a product of that id', async () => {
    const documents = [...DOCUMENTS, product('cartel', 'ana', { price: 9 })]
    await run({}, documents)
    const off = readFiles(path('dist'))
    expect(off[POSTER]).toContain('"kind":"product"')
    await run({ posters: true }, documents)
    expect(readFileSync(path('dist', POSTER), 'utf8')).toContain('"kind":"poster"')
    const files = Object.keys(readFiles(path('dist')))
    expect(files.filter((file) => !(file in off))).toEqual(['catalogo/eva/cartel.html'])
    await run({}, documents)
    expect({ ...readFiles(path('dist')), 'estado.json': '' }).toEqual({ ...off, 'estado.json': '' })
  })
})

describe('product feeds', () => {
  it('are files only where they are switched on, and take the address of a product of that id', async () => {
    await run({ feeds: true })
    expect(listSeller('ana')).toEqual(['404.html', 'a1.html', 'a2.html', 'feed.xml'])
    expect(readFileSync(path('dist/catalogo/ana/feed.xml'), 'utf8')).toContain('<title>Ana | Vitrina</title>')
    await run({ feeds: false })
    expect(listSeller('ana')).toEqual(['404.html', 'a1.html', 'a2.html', 'feed.xml.html'])
  })
})

it('Posters and feeds are served as they are where the addresses of products lead to cards', async () => {
  await run({ feeds: true, posters: true, productPages: false })
  expect(readFileSync(path('dist/_redirects'), 'utf8').split('\n')).toEqual([
    '/catalogo/:seller/feed.xml /catalogo/:seller/feed.xml 200',
    '/catalogo/:seller/cartel /catalogo/:seller/cartel 200',
    '/catalogo/:seller/:product /catalogo/:seller#p-:product 302',
    '',
  ])
})
