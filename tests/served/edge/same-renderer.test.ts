/** One renderer, two hosts: prepared routes give the same bytes in Node as Astro's own handling of a request in workerd. */
import { createSite } from '../../support/site.ts'
import { cpSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Product } from '../../../src/domain/documents/product.ts'
import type { ScreenPage } from '../../../src/domain/pages/page.ts'
import { NO_PICTURES } from '../../../src/domain/photos/picture.ts'
import { createUnknownCataloguePage } from '../../../src/domain/pages/page.ts'
import { listPageKinds } from '../../../src/domain/documents/page-table.ts'
import { formatRoutePath } from '../../../src/domain/documents/page-address.ts'
import type { Renderer } from '../../../src/builder/renderer/load-renderer.ts'
import { loadRenderer } from '../../../src/builder/renderer/load-renderer.ts'
import { findSampleServer, renderPageText } from '../../support/rebuild/sample-renderer.ts'
import type { WorkerRuntime } from '../../support/edge/worker-runtime.ts'
import { startRuntime } from '../../support/edge/worker-runtime.ts'
import { useSharedFolder } from '../../support/run/temporary.ts'
import { CATALOGUES } from '../../../scripts/audit/sample-catalogues.ts'

const SITE = createSite({ accessUrl: 'https://example.com/acceder' })

// Renders the requested path with the request's body as locals.
const WORKER = `
import { createApp } from './server/entry.mjs'
const app = createApp({ streaming: false })
export default {
  async fetch(request) {
    const locals = await request.json()
    return app.render(new Request('http://localhost' + new URL(request.url).pathname), { locals })
  },
}`

const CONFIGURATION = {
  name: 'renderer',
  main: 'worker.mjs',
  compatibility_date: '2026-11-01',
  compatibility_flags: ['nodejs_compat'],
  define: { 'process.env.NODE_ENV': '"production"' },
}

const path = useSharedFolder()
let runtime: WorkerRuntime
let renderer: Renderer

beforeAll(async () => {
  const server = findSampleServer()
  cpSync(server, path('server'), { recursive: true })
  writeFileSync(path('worker.mjs'), WORKER)
  writeFileSync(path('wrangler.json'), JSON.stringify(CONFIGURATION))
  renderer = await loadRenderer(server, SITE)
  runtime = await startRuntime({ configuration: path('wrangler.json') })
})

afterAll(() => runtime.kill())

const SELLER = { id: 'ana', name: 'Ana' }

const PRODUCT: Product = {
  id: 'bleu',
  name: 'Bleu',
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

// The first page of a kind also prepares its route, so each page is rendered a second time.
it('gives identical bytes for a page of each kind', async () => {
  expect(new Set(PAGES.map(({ kind }) => kind))).toEqual(new Set(listPageKinds()))
  for (const page of [...PAGES, ...PAGES]) {
    const body = JSON.stringify({ site: SITE, page })
    const response = await fetch(runtime.origin + formatRoutePath(page.kind), { method: 'POST', body })
    expect(await response.text()).toBe(await renderPageText(renderer, page))
  }
})
