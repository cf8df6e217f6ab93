/** Pages of sellers that a setting switches on: what a change writes or removes. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import type { PageSwitches } from '../../../src/domain/documents/page-switches.ts'
import { product, user } from '../../support/rebuild/documents.ts'
import { listWrittenPages, readFiles } from '../../support/run/files.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import { runInWorld } from '../../support/rebuild/world.ts'

const path = useTemporaryFolder()

const DOCUMENTS: readonly SourceDocument[] = [
  user('ana', 'Ana', ''),
  user('eva', 'Eva', ''),
  product('a1', 'ana'),
  product('a2', 'ana', { price: 5 }),
  product('feed.xml', 'ana'),
  product('e1', 'eva'),
]

const FREE = { price: null, _5ml: {}, _10ml: {} }

/** With `sellers`, the read shows which of their products changed. */
const run = (switches: Partial<PageSwitches>, documents = DOCUMENTS, sellers: readonly string[] = []) =>
  runInWorld({
    folder: path(),
    documents,
    switches: { productPages: true, ...switches },
    options: { sellers },
  })

const listSeller = (seller: string): readonly string[] =>
  Object.keys(readFiles(path('dist', 'catalogo', seller))).toSorted()

const findChanged = (work: () => Promise<unknown>) => listWrittenPages(path('dist'), work)

const priceless = DOCUMENTS.map((one) => (one.id === 'a2' ? product('a2', 'ana', FREE) : one))
const cheaper = DOCUMENTS.map((one) => (one.id === 'a1' ? product('a1', 'ana', { price: 7 }) : one))

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

  it('are rendered with a product that alone changed, if they show it', async () => {
    const switches = { feeds: true, posters: true }
    await run(switches)
    const pages = ['catalogo/ana.html', 'catalogo/ana/a2.html', POSTER, 'catalogo/ana/feed.xml']
    expect(await findChanged(() => run(switches, priceless, ['ana']))).toEqual(pages)
    const renamed = priceless.map((one) => (one.id === 'a1' ? product('a1', 'ana', { name: 'Otro' }) : one))
    const changed = await findChanged(() => run(switches, renamed, ['ana']))
    expect(changed).toEqual(['catalogo/ana.html', 'catalogo/ana/a1.html'])
  })

  it('are served as they are where the addresses of products lead to cards', async () => {
    await run({ posters: true, productPages: false })
    expect(readFileSync(path('dist/_redirects'), 'utf8').split('\n')[0]).toBe(
      '/catalogo/:seller/cartel /catalogo/:seller/cartel 200',
    )
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

  it('are rendered with a product that changed, and no other page is', async () => {
    await run({ feeds: true })
    const changed = await findChanged(() => run({ feeds: true }, cheaper))
    expect(changed).toEqual(['catalogo/ana.html', 'catalogo/ana/a1.html'])
    // The comment at the feed's end counts another reason for it.
    const without = cheaper.map((one) => (one.id === 'a2' ? product('a2', 'ana', FREE) : one))
    expect(await findChanged(() => run({ feeds: true }, without))).toEqual([
      'catalogo/ana.html',
      'catalogo/ana/a2.html',
      'catalogo/ana/feed.xml',
    ])
  })

  it('are planned with a product where a read shows that it alone changed', async () => {
    await run({ feeds: true })
    const changed = await findChanged(() => run({ feeds: true }, priceless, ['ana']))
    expect(changed).toEqual(['catalogo/ana.html', 'catalogo/ana/a2.html', 'catalogo/ana/feed.xml'])
  })

  it('are served as they are where the addresses of products lead to cards', async () => {
    await run({ feeds: true, productPages: false })
    expect(readFileSync(path('dist/_redirects'), 'utf8').split('\n')).toEqual([
      '/catalogo/:seller/feed.xml /catalogo/:seller/feed.xml 200',
      '/catalogo/:seller/:product /catalogo/:seller#p-:product 302',
      '',
    ])
  })
})
