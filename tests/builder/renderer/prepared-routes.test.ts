/** What the compiled renderer of this project makes of a page of each kind. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, expect, it } from 'vitest'
import { CATALOGUES } from '../../support/run/sample-catalogues.ts'
import { findInlineHashes } from '../../../src/builder/renderer/inline-code.ts'
import { loadRenderer } from '../../../src/builder/renderer/load-renderer.ts'
import type { KeptRenderer } from '../../../src/builder/renderer/renderer-store.ts'
import { formatRoutePath } from '../../../src/domain/documents/page-address.ts'
import { listPageKinds } from '../../../src/domain/documents/page-table.ts'
import type { Product } from '../../../src/domain/documents/product.ts'
import type { ScreenPage } from '../../../src/domain/pages/page.ts'
import { createUnknownCataloguePage } from '../../../src/domain/pages/page.ts'
import { NO_PICTURES } from '../../../src/domain/photos/picture.ts'
import { ensureCompiled } from '../../support/rebuild/sample-renderer.ts'
import { createSite } from '../../support/site.ts'
import type { SSRResult } from 'astro'
import * as astro from 'astro/compiler-runtime'
import { PageAstro } from '../../../src/builder/renderer/page-astro.ts'

const SITE = createSite({ accessUrl: 'https://example.com/acceder' })

const SELLER = { id: 'ana', name: 'Ana' }

const PRODUCT: Product = {
  id: 'bleu',
  name: 'Bleu <b>',
  photo: '/fotos/bleu.jpg',
  price: 4500,
  available: true,
  _5ml: { price: 600, available: true },
  _10ml: { price: null, available: false },
}

const PAGES: readonly ScreenPage[] = [
  { kind: 'home', stores: ['1'], social: null },
  { kind: 'not-found' },
  { kind: 'search' },
  createUnknownCataloguePage(),
  { kind: 'unknown-product', seller: SELLER },
  {
    kind: 'poster',
    seller: SELLER.id,
    name: SELLER.name,
    whatsapp: '18095550100',
    summary: { count: 1, available: 1, decantsFrom: null },
    social: 'social/ana.jpg',
    faults: [
      { mark: 'no-photo', count: 2, products: [{ id: 'bleu', name: 'Bleu', sizes: [] }] },
      { mark: 'no-price', count: 1, products: [{ id: 'bleu', name: 'Bleu', sizes: ['5ml'] }] },
    ],
  },
  { kind: 'product', product: PRODUCT, seller: { ...SELLER, whatsapp: null }, picture: null, preview: null },
  ...CATALOGUES.map((catalogue): ScreenPage => ({ kind: 'catalogue', catalogue, pictures: NO_PICTURES })),
]

let kept: KeptRenderer
/** The pages as Astro renders them, each for a request of its own. */
let expected: readonly string[]
let rendered: readonly string[]

beforeAll(async () => {
  kept = await ensureCompiled()
  Reflect.deleteProperty(globalThis, 'rendererWeb')
  expected = await renderPlainly(kept.server)
  const renderer = await loadRenderer(kept.server, SITE)
  // The first page of a kind also prepares its route, so each page is rendered a second time.
  const pages = await Promise.all([...PAGES, ...PAGES].map((page) => renderer.render(page)))
  rendered = pages.map((pieces) => pieces.join(''))
})

async function renderPlainly(server: string): Promise<readonly string[]> {
  const href = pathToFileURL(join(server, 'entry.mjs')).href
  const entry = (await import(href)) as typeof import('../../../src/builder/renderer/server-entry.ts')
  const app = entry.createApp({ streaming: false })
  const render = async (page: ScreenPage): Promise<string> => {
    const request = new Request(`http://localhost${formatRoutePath(page.kind)}`)
    return (await app.render(request, { locals: { site: SITE, page } })).text()
  }
  return Promise.all(PAGES.map(render))
}

it('a prepared route gives the bytes that Astro gives for a request, for a page of each kind', () => {
  expect(new Set(PAGES.map(({ kind }) => kind))).toEqual(new Set(listPageKinds()))
  expect(rendered).toEqual([...expected, ...expected])
})

it('the policy of a compiled renderer permits all inline code of its pages', () => {
  for (const html of rendered) {
    const { scripts, styles } = findInlineHashes(html)
    expect(kept.inline.scripts).toEqual(expect.arrayContaining([...scripts]))
    expect(kept.inline.styles).toEqual(expect.arrayContaining([...styles]))
  }
})

it('each module that a page loads later is a file of the site', () => {
  const addresses = rendered.flatMap((html) =>
    [...html.matchAll(/"\/(_astro\/[^"]+\.js)"/g)].map(([, path]) => path),
  )
  expect(addresses.filter((path) => path?.startsWith('_astro/order.'))).not.toEqual([])
  expect(Object.keys(kept.assets)).toEqual(expect.arrayContaining(addresses))
})

it('pages have none of the scripts and styles that Astro adds for islands', () => {
  expect(rendered.some((html) => html.includes('<astro-island'))).toBe(true)
  expect(rendered.flatMap((html) => html.match(/self\.Astro\b|<style>astro-island/g) ?? [])).toEqual([])
})

it('text in an attribute has no < or >', () => {
  const html = rendered[PAGES.findIndex(({ kind }) => kind === 'product')]
  expect(html).toContain('content="Bleu &lt;b&gt;')
})

// Otherwise V8 stores the page with two bytes for each character, and writing it takes twice as long.
it('a page has no character beyond Latin-1, except in the text of its documents', () => {
  const found = PAGES.map((page, index) => ({ page, html: rendered[index] ?? '' }))
    .filter(({ page }) => !/[^\0-\xff]/.test(JSON.stringify(page)))
    .map(({ page: { kind }, html }) => [kind, html.match(/[^\0-\xff]/g)])
  expect(found).toEqual(found.map(([kind]) => [kind, null]))
  expect(found.map(([kind]) => kind)).toEqual(expect.arrayContaining(['product', 'catalogue', 'home']))
})

const LOCALS = {
  site: createSite({ url: 'http://localhost', productPages: false }),
  page: createUnknownCataloguePage(),
}

// Slots without islands need nothing of the result.
const RESULT = {} as SSRResult

const create = (text: string): PageAstro =>
  new PageAstro(RESULT, LOCALS, { name: 'value' }, { default: () => astro.render`<b>${text}</b>` })

it('the Astro of a page has the properties, the locals, the component itself and its slots', async () => {
  const page = create('a & b')
  page.self = create
  expect([page.props, page.locals, page.self]).toEqual([{ name: 'value' }, LOCALS, create])
  expect(await page.slots.render('default')).toBe('<b>a &amp; b</b>')
  expect(await page.slots.render('other')).toBe('')
})

it.each(['url', 'request', 'params', 'cookies', 'response', 'generator'])(
  'the Astro of a page has no %s',
  (name) => {
    expect(() => Reflect.get(create(''), name)).toThrow(`components have no Astro.${name}: see page-astro.ts`)
  },
)
