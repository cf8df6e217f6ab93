/** The same documents through both lanes: equal bytes and headers on the real runtime. */
import { formatPageFile } from '../../../src/domain/documents/page-address.ts'
import { createProductPage, createUnknownProductPage } from '../../../src/domain/pages/page.ts'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { HOSTILE_IDS, HOSTILE_PRODUCTS, HOSTILE_PROFILES } from '../../support/edge/hostile.ts'
import { COLLECTIONS } from '../../../src/domain/documents/document.ts'
import { createSearchClient } from '../../../src/builder/publish/search/search-client.ts'
import { createCataloguePage } from '../../../src/domain/objects/object-data.ts'
import { formatObjectKey } from '../../../src/domain/objects/object-key.ts'
import type { ScreenPage } from '../../../src/domain/pages/page.ts'
import {
  formatCatalogueFile,
  formatCataloguePath,
  formatProductFile,
  hasProductPage,
} from '../../../src/domain/pages/paths.ts'
import { parsePageObject } from '../../../src/edge/objects/page-object.ts'
import { renderObject } from '../../../src/edge/objects/render-object.ts'
import { createEdgeRenderer } from '../../support/edge/edge-renderer.ts'
import { describeObjectStore } from '../../support/edge/object-store-contract.ts'
import type { ObjectsSite } from '../../support/edge/objects-site.ts'
import { findSellers } from '../../support/search/found-sellers.ts'
import { startObjectsSite } from '../../support/edge/objects-site.ts'
import { ROOT } from '../../../src/builder/state/project-folder.ts'
import { findPage } from '../../../src/domain/documents/page-address.ts'
import { createSite } from '../../support/site.ts'

const LARGE = 'grande'
const SAMPLE = join(ROOT, 'src/builder/sources/sample')

let site: ObjectsSite

beforeAll(async () => {
  site = await startObjectsSite(writeDocuments)
})

afterAll(() => site.close())

/** The sample, hostile documents, and a seller with 2,000 products. */
function writeDocuments(folder: string): void {
  mkdirSync(folder)
  const read = (name: string): readonly string[] =>
    readFileSync(join(SAMPLE, name), 'utf8').trim().split('\n')
  const products = read('cataloge.ndjson')
  const large = Array.from({ length: 2_000 }, (_, index) => {
    const { data } = JSON.parse(products[index % products.length] ?? '')
    return JSON.stringify({ id: `p${index}`, data: { ...data, owner: { id: LARGE } } })
  })
  const format = (id: string, data: string): string => `{"id":${JSON.stringify(id)},"data":${data}}`
  const hostile = HOSTILE_IDS.flatMap((owner, index) =>
    HOSTILE_PRODUCTS.map((create, number) => format(`${index} ${number} ñ'"<`, create(owner))),
  )
  const profiles = HOSTILE_IDS.map((id, index) =>
    format(id, HOSTILE_PROFILES[index % HOSTILE_PROFILES.length] ?? '[]'),
  )
  const lines = {
    cataloge: [...products, ...large, ...hostile],
    users: [...read('users.ndjson'), ...profiles],
  }
  for (const name of COLLECTIONS) writeFileSync(join(folder, `${name}.ndjson`), lines[name].join('\n'))
}

let prefix = 0
describeObjectStore(() => ({ store: site.store, prefix: `contract/${prefix++}/` }))

/** The address of a file of lane "assets". */
function formatAddress(file: string): string {
  const path = file === 'index.html' ? '' : file.replace(/\.html$/, '')
  return `/${path.split('/').map(encodeURIComponent).join('/')}`
}

async function readBytes(address: string): Promise<{ status: number; bytes: Buffer }> {
  const response = await fetch(site.origin + address, { redirect: 'manual' })
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
}

describe('a site of objects', () => {
  it('has for each page of the other lane the data that the page is made from', () => {
    const made = [...site.objects].flatMap(
      ([name, data]): readonly (readonly [string, ScreenPage | null])[] => {
        const paged = data.catalogue.products.filter(({ id }) => hasProductPage(createSite(), id))
        return [
          [formatCatalogueFile(name), createCataloguePage(data)] as const,
          [
            formatPageFile({ kind: 'unknown-product', seller: name, product: null }),
            createUnknownProductPage(data),
          ] as const,
          ...paged.map(({ id }) => [formatProductFile(name, id), createProductPage(data, id)] as const),
        ]
      },
    )
    const screens = ['index.html', '404.html', 'catalogo/404.html']
    const wanted = [...site.pages].filter(([path]) => !screens.includes(path))
    expect(made.length).toBeGreaterThan(2_200)
    expect(new Map(made)).toEqual(new Map(wanted))
  })

  it('answers pages and sitemaps with the bytes of the other lane', async () => {
    const folders = readdirSync(join(site.output, 'catalogo'), { recursive: true, encoding: 'utf8' })
    const files = folders.filter((path) => path.endsWith('.html')).map((path) => `catalogo/${path}`)
    const few = files.filter((path, index) => findPage(path)?.kind !== 'product' || index % 50 === 0)
    const pages = ['index.html', ...few]
    expect(pages.length).toBeGreaterThan(60)
    for (const file of pages) {
      const { status, bytes } = await readBytes(formatAddress(file))
      expect([file, status]).toEqual([file, 200])
      expect(bytes.equals(readFileSync(join(site.output, file))), file).toBe(true)
    }
    const sitemaps = [
      'sitemap.xml',
      ...readdirSync(join(site.output, 'sitemaps')).map((name) => `sitemaps/${name}`),
    ]
    for (const file of sitemaps)
      expect([file, String((await readBytes(`/${file}`)).bytes)]).toEqual([
        file,
        readFileSync(join(site.output, file), 'utf8'),
      ])
    const unknown = await readBytes(`${formatCataloguePath(LARGE)}/nada`)
    expect(unknown.status).toBe(404)
    expect(
      unknown.bytes.equals(
        readFileSync(
          join(site.output, formatPageFile({ kind: 'unknown-product', seller: LARGE, product: null })),
        ),
      ),
    ).toBe(true)
  })
})

it('has fed the search index with what was put, finds that, and has nothing to repair', async () => {
  const sellers = [...site.objects.values()].flatMap((data) =>
    data.kind === 'seller' && data.catalogue.products.length > 0 ? [data] : [],
  )
  const search = createSearchClient(site.coordinator)
  const products = sellers.reduce((sum, { catalogue }) => sum + catalogue.products.length, 0)
  expect(await search.readState()).toMatchObject({ sellers: sellers.length, products, unfed: 0 })
  const { outcomes } = await search.pull({ pull: [LARGE, 'nobody'] })
  expect(outcomes).toEqual(['equal', 'stored'])
  const found = await findSellers(site.origin, 'eau')
  expect(found.size).toBeGreaterThan(2)
})

it('shows how fresh the site is, without ids', async () => {
  const response = await fetch(`${site.origin}/estado.json`)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
  expect(await response.json()).toMatchObject({ waiting: { count: 0 }, isHeld: false, fullRead: null })
})

/** Headers that name the connection, the host's own cache, or the bytes by a hash of the host. */
const OWN = [
  'cf-cache-status',
  'connection',
  'content-length',
  'date',
  'etag',
  'keep-alive',
  'transfer-encoding',
]

async function ask(origin: string, path: string, init: RequestInit = {}): Promise<unknown> {
  const response = await fetch(origin + path, { redirect: 'manual', ...init })
  const headers = [...response.headers].filter(([name]) => !OWN.includes(name))
  const hasTag = response.headers.has('etag')
  return {
    status: response.status,
    text: await response.text(),
    headers: Object.fromEntries(headers),
    hasTag,
  }
}

const PATHS = [
  '/',
  '/?x=1',
  '/index.html',
  '/index',
  '/index/',
  '/index/?x=1',
  '/index/index',
  '/index/index.html',
  '/index/nada',
  '//',
  '//index',
  '//index.html',
  '//catalogo/1',
  '//catalogo//1/',
  '//catalogo/1.html',
  '//catalogo/nadie',
  '//nada',
  '//fotos/nada.webp',
  '//sitemaps/home.xml',
  '//favicon.svg',
  '/catalogo/1',
  '/catalogo/1?filtro=x',
  '/catalogo/1/',
  '/catalogo/1/?a=b',
  '/catalogo/1.html',
  '/catalogo/1/index',
  '/catalogo/1/index.html',
  '/catalogo/%31',
  '/catalogo//1',
  '/catalogo/1%2Fnada',
  '/catalogo/perfumer%C3%ADa%20ana',
  '/catalogo/perfumer%c3%ada ana.html',
  '/catalogo/1/nada',
  '/catalogo/1/nada/',
  '/catalogo/1/nada.html',
  '/catalogo/1/a/b/c',
  '/catalogo/1/404',
  '/catalogo/1/404.html',
  '/catalogo/1/%00',
  '/catalogo/404',
  '/catalogo/404.html',
  '/catalogo/',
  '/catalogo',
  '/catalogo/nadie',
  '/catalogo/nadie/',
  '/catalogo/nadie/nada',
  '/catalogo/%zz',
  '/catalogo/%2E%2E%2Fx',
  '/catalogo/index',
  '/nada',
  '/fotos/nada.webp',
  '/fotos/',
  '/social/nada.jpg',
  '/_astro/nada.js',
  '/favicon.svg',
  '/sitemaps/home.xml',
  '/sitemaps/zz.xml',
]

describe('both lanes', () => {
  it.each(PATHS)('answer %s with equal status, bytes and headers', async (path) => {
    expect(await ask(site.origin, path)).toEqual(await ask(inject('origin'), path))
  })

  it.each(['HEAD', 'POST'])('answer %s alike', async (method) => {
    for (const path of ['/', '/catalogo/1', '/catalogo/nadie', '/catalogo/1/nada', '/sitemaps/home.xml'])
      expect([path, await ask(site.origin, path, { method })]).toEqual([
        path,
        await ask(inject('origin'), path, { method }),
      ])
  })

  it('answer hashed files alike, of this deployment and of an earlier one', async () => {
    for (const name of readdirSync(join(site.output, '_astro'))) {
      const path = `/_astro/${name}`
      expect([path, await ask(site.origin, path)]).toEqual([path, await ask(inject('origin'), path)])
    }
  })

  it('answer 304 alike to browsers that have the page', async () => {
    const revalidate = async (origin: string, path: string, weak: string): Promise<unknown> => {
      const etag = (await fetch(origin + path)).headers.get('etag') ?? ''
      return ask(origin, path, { headers: { 'if-none-match': weak + etag } })
    }
    for (const path of ['/', '/catalogo/1', '/catalogo/1/nada', '/catalogo/nadie'])
      for (const weak of ['', 'W/'])
        expect([path, await revalidate(site.origin, path, weak)]).toEqual([
          path,
          await revalidate(inject('origin'), path, weak),
        ])
  })
})

it('shows an object of other code as its own code renders it, from the newest data', async () => {
  const { store, client } = site
  const data = site.objects.get('1')
  if (data === undefined) throw new Error('the sample has no seller 1')
  const key = await formatObjectKey('1')
  const before = await store.get(key)
  if (before === null) throw new Error('the sample has no object of seller 1')
  const page = parsePageObject(before.bytes)
  const options = { version: 2, intake: 'reader', renderer: createEdgeRenderer('other') }
  const { bytes, notes } = await renderObject(data, options)
  const tag = await store.put(key, bytes, { seen: before.tag, notes })
  expect(tag).not.toBeNull()
  const { worker } = await client.readTags({ names: [] })
  const read = async (): Promise<Buffer> => (await readBytes(formatCataloguePath('1'))).bytes
  const html = page.kind === 'page' ? Buffer.from(page.html) : null
  await expect.poll(read, { interval: 100 }).toEqual(html)
  expect((await store.head(key))?.tag).toBe(tag)
  const state = await (await fetch(`${site.origin}/estado.json`)).json()
  expect(state).toMatchObject({ code: worker.code, sellers: site.objects.size, isHeld: false })
})
