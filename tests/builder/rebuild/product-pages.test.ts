import { describe, expect, it } from 'vitest'
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import type { Product } from '../../../src/domain/documents/product.ts'
import type { Picture } from '../../../src/domain/photos/picture.ts'

import { createRebuildReport } from '../../../src/builder/commands/rebuild/rebuild-report.ts'
import type { RebuildReport } from '../../../src/builder/commands/rebuild/rebuild-report.ts'
import { product, user } from '../../support/rebuild/documents.ts'
import { readFiles } from '../../support/run/files.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import type { WorldSetup } from '../../support/rebuild/world.ts'
import { renderPlain, runInWorld } from '../../support/rebuild/world.ts'

const path = useTemporaryFolder()

const DOCUMENTS: readonly SourceDocument[] = [
  user('ana', 'Ana', ''),
  user('eva', 'Eva', ''),
  product('a1', 'ana'),
  product('a2', 'ana'),
  product('e1', 'eva'),
]

const run = (setup: Partial<WorldSetup> = {}) =>
  runInWorld({ folder: path(), documents: DOCUMENTS, switches: { productPages: true }, ...setup })

const report = async (setup?: Partial<WorldSetup>): Promise<RebuildReport> =>
  createRebuildReport(await run(setup), 0)

const listPages = (): readonly string[] =>
  Object.keys(readFiles(path('dist'))).filter((file) => file.startsWith('catalogo/'))

const PAGES = [
  'catalogo/404.html',
  'catalogo/ana.html',
  'catalogo/ana/404.html',
  'catalogo/ana/a1.html',
  'catalogo/ana/a2.html',
  'catalogo/eva.html',
  'catalogo/eva/404.html',
  'catalogo/eva/e1.html',
]

describe('the pages of products', () => {
  it('are one for each product, and one of each seller for those that are gone', async () => {
    await run()
    expect(listPages()).toEqual(PAGES)
  })

  it('are rendered before the catalogue that leads to them', async () => {
    const rendered: string[] = []
    await run({
      render: (page) => {
        rendered.push(page.kind)
        return renderPlain(page)
      },
    })
    expect(rendered.lastIndexOf('product')).toBeLessThan(rendered.lastIndexOf('catalogue'))
    expect(rendered.indexOf('product')).toBeLessThan(rendered.indexOf('catalogue'))
  })

  it('show the preview of their photo in links, or else the picture of their seller', async () => {
    const previews: Record<string, unknown> = {}
    const preview = { path: 'fotos/a1.jpg', width: 496, height: 620 }
    const picture: Picture = {
      type: 'image/avif',
      sources: [{ path: 'fotos/small.avif', width: 320 }],
      tone: null,
    }
    const listPictures = (products: readonly Product[]) =>
      new Map(products.flatMap(({ photo }) => (photo === null ? [] : [[photo, picture] as const])))
    const listPreviews = (photos: Iterable<string>) =>
      Object.fromEntries([...photos].filter((one) => one.endsWith('/a1.jpg')).map((one) => [one, preview]))
    await run({
      render: (page) => {
        if (page.kind === 'product') previews[page.product.id] = page.preview
        return renderPlain(page)
      },
      wrap: (world) => ({
        ...world,
        pictures: {
          ...world.pictures,
          find: ({ products }) => {
            const photos = listPictures(products)
            return { pictures: { photos, social: 'social/s.jpg' }, previews: listPreviews(photos.keys()) }
          },
          readFile: (file) => Buffer.from(file),
        },
      }),
    })
    const social = { path: 'social/s.jpg', width: 1_200, height: 630 }
    expect(previews).toEqual({ a1: preview, a2: social, e1: social })
    expect(Object.keys(readFiles(path('dist')))).toContain('fotos/a1.jpg')
  })

  it('go when they are switched off, when a rule leads to the cards, and come back', async () => {
    await run()
    await run({ switches: { productPages: false } })
    expect(listPages()).toEqual(['catalogo/404.html', 'catalogo/ana.html', 'catalogo/eva.html'])
    expect(readFiles(path('dist'))['_redirects']).toBe(
      '/catalogo/:seller/:product /catalogo/:seller#p-:product 302\n',
    )
    await run()
    expect(listPages()).toEqual(PAGES)
    expect(readFiles(path('dist'))).not.toHaveProperty('_redirects')
  })

  it('are not made of ids that cannot be a file, which is said; the card stays', async () => {
    const odd = ['404', 'index', 'a/b', 'e\u0301', 'x.html', '.git']
    const fine = ['e\u0301'.normalize('NFC'), 'a%2Fb', 'a b', 'A1', '%61']
    const documents = [...DOCUMENTS, ...[...odd, ...fine].map((id) => product(id, 'ana'))]
    const { rejected } = await report({ documents })
    expect(rejected.map(({ id }) => id).sort()).toEqual([...odd].sort())
    expect(rejected[0]?.reason).toContain('so the product has no page of its own')
    expect(
      listPages()
        .filter((file) => file.startsWith('catalogo/ana/'))
        .sort(),
    ).toEqual(['404', 'a1', 'a2', ...fine].map((id) => `catalogo/ana/${id}.html`).sort())
  })
})

describe('a seller with more products than are shown', () => {
  const ids = Array.from({ length: 150 }, (_, index) => `p${String(index).padStart(3, '0')}`)
  const documents = [...DOCUMENTS, user('zoe', 'Zoe', ''), ...ids.map((id) => product(id, 'zoe'))]
  const listShown = (): readonly string[] => listPages().filter((file) => file.startsWith('catalogo/zoe/p'))

  it('has pages of the first ones by id, is reported, and no other seller is', async () => {
    const { pages, rejected, exit } = await report({ documents, maxProducts: 100 })
    expect(listShown()).toEqual(ids.slice(0, 100).map((id) => `catalogo/zoe/${id}.html`))
    expect(readFiles(path('dist'))['catalogo/zoe.html']).not.toContain('p100')
    expect([pages.failed, exit]).toEqual([0, 0])
    expect(rejected).toMatchObject([
      { collection: 'users', id: 'zoe', reason: expect.stringMatching(/150 products/) },
    ])
  })
})
