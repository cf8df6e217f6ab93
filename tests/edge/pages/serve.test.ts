import type { PageSwitches } from '../../../src/domain/documents/page-switches.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { formatObjectKey } from '../../../src/domain/objects/object-key.ts'
import type { ScreenPage } from '../../../src/domain/pages/page.ts'
import type { CacheEntry } from '../../../src/edge/pages/page-cache.ts'
import { createPageCache } from '../../../src/edge/pages/page-cache.ts'
import { formatPageObject } from '../../../src/edge/objects/page-object.ts'
import { serve } from '../../../src/edge/pages/serve.ts'
import { createWorkRoom } from '../../../src/edge/pages/work-room.ts'
import { createEdgeRenderer } from '../../support/edge/edge-renderer.ts'
import { createSellerOf, MemorySite } from '../../support/edge/edge-site.ts'

const HOUR = 3_600_000
const SCREEN = [404, 'screen 404']

let site: MemorySite

beforeEach(() => {
  site = new MemorySite()
})

const serveWith = (switches: Partial<PageSwitches>): void => {
  site.renderer = { ...site.renderer, site: { ...site.renderer.site, ...switches } }
}

const read = async (path: string): Promise<string> => (await site.read(path))[1]

describe('a page', () => {
  it('is the stored one, with the policy of the object and the headers of every answer', async () => {
    await site.put('ana', createSellerOf('Ana'))
    const response = await site.ask('/catalogo/ana')
    expect(response.status).toBe(200)
    expect(await response.text()).toMatch(/^one {"kind":"catalogue".*"name":"Ana"/)
    expect(Object.fromEntries(response.headers)).toEqual({
      'cache-control': 'public, max-age=0, must-revalidate',
      'content-security-policy': 'policy of one',
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      etag: expect.stringMatching(/^"[\da-f]{32}"$/),
    })
  })

  it('of a product is rendered from the data, and so is that of an unknown one', async () => {
    await site.put('ana', createSellerOf('Ana', 'p1'))
    expect(await site.read('/catalogo/ana/p1')).toEqual([200, expect.stringMatching(/"product".*"Ana p1"/)])
    expect(await site.read('/catalogo/ana/p2')).toEqual([404, expect.stringContaining('"unknown-product"')])
  })

  it('is the screen of the assets for a seller that never was, or her file, if they have one', async () => {
    expect(await site.read('/catalogo/ana')).toEqual(SCREEN)
    site.files = { '/catalogo/ana': 'a page' }
    site.now += 5_000
    expect(await site.read('/catalogo/ana')).toEqual([200, 'a page'])
  })

  it('is the screen of an unknown catalogue for a seller that is gone, whatever the assets have', async () => {
    serveWith({ feeds: true, posters: true })
    await site.put('eva', createSellerOf('Eva', 'p1'))
    await site.put('eva', null)
    const paths = ['', '/p1', '/p2', '/feed.xml', '/cartel'].map((path) => `/catalogo/eva${path}`)
    site.files = Object.fromEntries(paths.map((path) => [path, 'an old file']))
    for (const path of paths) {
      const response = await site.ask(path)
      expect([path, response.status, response.headers.get('content-type')]).toEqual([
        path,
        404,
        'text/html; charset=utf-8',
      ])
      expect(await response.text()).toMatch(/^one {"kind":"unknown-catalogue"/)
    }
  })

  it('answers 304 to a browser that has it, also after a put of equal data', async () => {
    await site.put('ana', createSellerOf('Ana'))
    const etag = (await site.ask('/catalogo/ana')).headers.get('etag') ?? ''
    await site.put('ana', createSellerOf('Ana'))
    site.now += 5_000
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`])
      expect(await site.read('/catalogo/ana', { headers: { 'if-none-match': known } })).toEqual([304, ''])
    expect((await site.read('/catalogo/ana', { headers: { 'if-none-match': '"x"' } }))[0]).toBe(200)
    expect(await site.read('/catalogo/ana', { method: 'HEAD' })).toEqual([200, ''])
  })

  it('has one address, to which others lead if there is a page', async () => {
    await site.put('ana', createSellerOf('Ana', 'p1'))
    const follow = async (path: string): Promise<string | null> =>
      (await site.ask(path)).headers.get('location')
    for (const path of ['/catalogo/ana/', '/catalogo/ana.html', '/catalogo/%61na', '/catalogo/ana/index'])
      expect([path, await follow(`${path}?a=b`)]).toEqual([path, '/catalogo/ana?a=b'])
    expect(await follow('/catalogo/ana/p1.html')).toBe('/catalogo/ana/p1')
    for (const [path, to] of [
      ['/index.html', '/'],
      ['/index/', '/index'],
      ['/index', '/'],
      ['//catalogo/ana', '/catalogo/ana'],
    ] as const)
      expect([path, await follow(path)]).toEqual([path, to])
    expect(await follow('/catalogo/eva/')).toBeNull()
  })

  it('is found for a path of as many folders as an address can have', async () => {
    await site.put('ana', createSellerOf('Ana', 'p1'))
    const path = `/catalogo/ana${'/a'.repeat(8_000)}`
    expect(await site.read(path)).toEqual([404, expect.stringContaining('"unknown-product"')])
    expect(await site.read(path.replace('ana', 'eva'))).toEqual(SCREEN)
    expect(await site.read('/a'.repeat(8_000))).toEqual(SCREEN)
  })

  it('of a product is left to the assets if products have none', async () => {
    await site.put('ana', createSellerOf('Ana', 'p1'))
    site.renderer = { ...site.renderer, site: { ...site.renderer.site, productPages: false } }
    expect(await site.read('/catalogo/ana/p1')).toEqual(SCREEN)
    expect(site.reads).toEqual([])
    expect((await site.read('/catalogo/ana/'))[0]).toBe(307)
  })
})

describe('a page that a setting switches on', () => {
  const serveFeeds = (feeds: boolean): void => serveWith({ feeds })

  it('is a text made from the data, with the media type of the assets and one address', async () => {
    serveFeeds(true)
    await site.put('ana', createSellerOf('Ana', 'p1'))
    const response = await site.ask('/catalogo/ana/feed.xml')
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/xml'])
    expect(await response.text()).toContain('<title>Ana | Vitrina</title>')
    expect((await site.ask('/catalogo/%61na/feed.xml?a=b')).headers.get('location')).toBe(
      '/catalogo/ana/feed.xml?a=b',
    )
    expect(await site.read('/catalogo/eva/feed.xml')).toEqual(SCREEN)
    site.renderer = { ...site.renderer, site: { ...site.renderer.site, productPages: false } }
    expect((await site.read('/catalogo/ana/feed.xml'))[0]).toBe(200)
  })

  it('is rendered on request, from the object of her seller and only while it is on', async () => {
    await site.put('ana', createSellerOf('Ana', 'p1'))
    await site.put('luz', createSellerOf('Luz', 'cartel'))
    expect(await site.read('/catalogo/luz/cartel')).toEqual([200, expect.stringMatching(/"kind":"product"/)])
    serveWith({ posters: true })
    const [status, html] = await site.read('/catalogo/ana/cartel')
    expect([status, JSON.parse(html.slice(4))]).toMatchObject([200, { kind: 'poster', seller: 'ana' }])
    expect((await site.ask('/catalogo/ana/cartel.html')).headers.get('location')).toBe('/catalogo/ana/cartel')
    expect(await site.read('/catalogo/eva/cartel')).toEqual(SCREEN)
  })

  it('leaves its address to a product of that id while it is off', async () => {
    await site.put('ana', createSellerOf('Ana', 'feed.xml'))
    expect(await site.read('/catalogo/ana/feed.xml')).toEqual([200, expect.stringMatching(/"product"/)])
  })

  it('is 503 if data of other code cannot be read, and no other page', async () => {
    serveFeeds(true)
    const broken = createSellerOf('Ana', 'p1')
    const [first] = broken.catalogue.products
    const products = first === undefined ? [] : [{ ...first, price: -1 }]
    const data = { ...broken, catalogue: { ...broken.catalogue, products } }
    await site.put('ana', data, { ...site.renderer, code: 'next' })
    expect((await site.read('/catalogo/ana/feed.xml'))[0]).toBe(503)
  })
})

describe('the home page', () => {
  const readStores = async (): Promise<unknown> => {
    site.now += 5_000
    const [status, html] = await site.read('/')
    expect([status, html.slice(0, 4)]).toEqual([200, 'one '])
    const page = JSON.parse(html.slice(4))
    expect(page).toEqual({ kind: 'home', stores: page.stores, social: 'social/home.png' })
    return page.stores
  }

  it('links the stores whose sellers exist, and names its picture', async () => {
    expect(await readStores()).toEqual([])
    await site.put('1', createSellerOf('Uno', 'p1'))
    expect(await readStores()).toEqual(['1'])
    await site.put('1', null)
    site.files = { '/catalogo/1': 'an old file' }
    expect(await readStores()).toEqual([])
  })

  it('links a store whose page is still a file', async () => {
    site.files = { '/catalogo/1': 'a page' }
    expect(await readStores()).toEqual(['1'])
  })

  it('is rendered once for the same stores', async () => {
    await readStores()
    const { render } = site.renderer
    site.renderer = { ...site.renderer, render: () => Promise.reject(new Error('rendered again')) }
    expect(await readStores()).toEqual([])
    site.renderer = { ...site.renderer, render }
  })
})

describe('a read of the store', () => {
  it('is not made for ids that cannot have a page, nor for other methods', async () => {
    for (const id of ['404', 'index', '%2E%2E', 'a.html', 'x'.repeat(300), 'a%00b', 'a%5Cb', 'node_modules'])
      await site.read(`/catalogo/${id}/p1`)
    for (const path of ['/catalogo/', '/fotos/', '/fotos/a/b.webp', '/fotos/a', '/social/..%2Fhome', '/x'])
      expect([path, await site.read(path)]).toEqual([path, SCREEN])
    await site.read('/catalogo/ana', { method: 'POST' })
    expect(site.reads).toEqual([])
  })

  it('is made once for all queries, while the entry is fresh', async () => {
    for (const path of ['/catalogo/ana', '/catalogo/ana?filtro=a&x=1', '/catalogo/ana?x'])
      await site.read(path)
    expect(site.reads.length).toBe(1)
    expect([...site.cached.keys()]).toEqual(['https://vitrina.example/catalogo/ana?code=one'])
    site.now += 4_999
    await site.read('/catalogo/ana')
    expect(site.reads.length).toBe(1)
    site.now += 1
    await site.read('/catalogo/ana')
    expect(site.reads.length).toBe(2)
  })

  it('of ids of products that are none shares one entry', async () => {
    await site.put('ana', createSellerOf('Ana'))
    for (const path of ['/catalogo/ana/a/b', '/catalogo/ana/c/d', '/catalogo/ana/index'])
      await site.read(path)
    expect(site.reads.length).toBe(2)
  })

  it('is made by another code, whose entries are others', async () => {
    await site.put('ana', createSellerOf('Ana'))
    await read('/catalogo/ana')
    site.renderer = createEdgeRenderer('two')
    expect(await read('/catalogo/ana')).toMatch(/^two /)
    expect([...site.cached.keys()].filter((key) => key.includes('/catalogo/ana?'))).toHaveLength(3)
  })
})

describe('the age of an entry', () => {
  it('begins with its read, so that a page is never older than the bound', async () => {
    await site.put('ana', createSellerOf('Old'))
    site.beforeAnswer = async () => void (site.now += 4_000)
    expect(await read('/catalogo/ana')).toContain('Old')
    site.beforeAnswer = async () => {}
    await site.put('ana', createSellerOf('New'))
    site.now += 1_000
    expect(await read('/catalogo/ana')).toContain('New')
  })

  it('decides between two reads: a slow one does not replace a newer one, nor is it shown', async () => {
    await site.put('ana', createSellerOf('Old'))
    const gate = Promise.withResolvers<void>()
    site.beforeAnswer = () => gate.promise
    const slow = read('/catalogo/ana')
    await expect.poll(() => site.reads.length).toBe(1)
    site.beforeAnswer = async () => {}
    site.now += 1
    await site.put('ana', createSellerOf('New'))
    expect(await read('/catalogo/ana')).toContain('New')
    gate.resolve()
    expect(await slow).toContain('New')
    expect(await read('/catalogo/ana')).toContain('New')
  })
})

it('a read that began before a put is not kept after it', async () => {
  await site.put('ana', createSellerOf('Old'))
  const gate = Promise.withResolvers<void>()
  site.beforeAnswer = () => gate.promise
  const slow = read('/catalogo/ana')
  await expect.poll(() => site.reads.length).toBe(1)
  site.beforeAnswer = async () => {}
  await site.put('ana', createSellerOf('New'))
  await site.openCache().forget('/catalogo/ana', site.now)
  site.now += 1
  gate.resolve()
  expect(await slow).toContain('Old')
  expect(await read('/catalogo/ana')).toContain('New')
  await read('/catalogo/ana')
  expect(site.reads.length).toBe(2)
})

it('two reads that find no entry leave the newer one, in either order of their ends', async () => {
  const cache = createPageCache(site.cache, { origin: 'https://vitrina.example', code: 'one', log: () => {} })
  const keep = (begun: number): Promise<CacheEntry> =>
    cache.keep('/', { begun, content: { kind: 'none' } }, () => {})
  await Promise.all([keep(2), keep(1)])
  expect((await cache.read('/'))?.begun).toBe(2)
})

describe('the objects in work', () => {
  it('have a bound of bytes, and what exceeds it is asked to come back', async () => {
    await site.put('ana', createSellerOf('Ana', 'p1'))
    const gate = Promise.withResolvers<void>()
    site.beforeAnswer = () => gate.promise
    site.room = createWorkRoom(() => site.now, 10)
    const first = site.read('/catalogo/ana')
    await expect.poll(() => site.reads.length).toBe(1)
    const second = await site.ask('/catalogo/ana/p1')
    expect([second.status, second.headers.get('retry-after')]).toEqual([503, '10'])
    gate.resolve()
    expect((await first)[0]).toBe(200)
    expect((await site.read('/catalogo/ana/p1'))[0]).toBe(200)
  })

  it('of a request that is cut off take no room after a while', async () => {
    await site.put('ana', createSellerOf('Ana', 'p1'))
    site.beforeAnswer = () => new Promise(() => {})
    site.room = createWorkRoom(() => site.now, 10)
    void site.read('/catalogo/ana')
    await expect.poll(() => site.reads.length).toBe(1)
    site.beforeAnswer = async () => {}
    site.now += 29_999
    expect((await site.read('/catalogo/ana'))[0]).toBe(503)
    site.now += 1
    expect((await site.read('/catalogo/ana'))[0]).toBe(200)
  })

  it('are read to the end even if their visitor leaves', async () => {
    await site.put('ana', createSellerOf('Ana'))
    const gate = Promise.withResolvers<void>()
    site.beforeAnswer = () => gate.promise
    const later: Promise<void>[] = []
    const response = serve(new Request('https://vitrina.example/catalogo/ana'), site.createWorld(later))
    await expect.poll(() => site.reads.length).toBe(1)
    expect(later).toHaveLength(1)
    gate.resolve()
    expect((await response).status).toBe(200)
    await Promise.all(later)
  })

  it('may fail to be read after the answer without another error', async () => {
    site.isStoreFailing = true
    const later: Promise<void>[] = []
    const response = await serve(new Request('https://vitrina.example/catalogo/ana'), site.createWorld(later))
    expect(response.status).toBe(503)
    await expect(Promise.all(later)).resolves.toHaveLength(1)
  })
})

it('the page of a product is made without reading the HTML of the catalogue', async () => {
  const kept: number[] = []
  site.room = {
    run: (work) => work((bytes) => void kept.push(bytes)),
  }
  await site.put('ana', createSellerOf('Ana', 'p1'))
  for (const path of ['/catalogo/ana', '/catalogo/ana/p1']) expect((await site.read(path))[0]).toBe(200)
  const [whole = 0, start = 0] = kept
  expect(whole - start).toBe((await read('/catalogo/ana')).length)
})

describe('while the store fails', () => {
  beforeEach(async () => {
    await site.put('ana', createSellerOf('Ana'))
    await site.read('/catalogo/ana')
    await site.read('/catalogo/eva')
    site.isStoreFailing = true
  })

  it('pages are as the cache has them, for an hour from their read', async () => {
    site.now += HOUR - 1
    expect((await site.read('/catalogo/ana'))[0]).toBe(200)
    expect(await site.read('/catalogo/eva')).toEqual(SCREEN)
    site.now += 1
    expect((await site.read('/catalogo/ana'))[0]).toBe(503)
    expect((await site.read('/catalogo/eva'))[0]).toBe(503)
    expect(site.lines.at(-1)).toContain('the store failed')
  })

  it('others answer 503 with a time to come back, and never 404', async () => {
    for (const path of [
      '/',
      '/catalogo/rosa',
      '/catalogo/ana/p1',
      '/fotos/a.webp',
      '/_astro/a.js',
      '/estado.json',
    ]) {
      const response = await site.ask(path)
      expect([path, response.status]).toEqual([path, 503])
      expect(response.headers.get('retry-after')).toBe('10')
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(await response.text()).toContain('Inténtalo otra vez')
    }
  })

  it('bytes that are no object count as a failure', async () => {
    site.isStoreFailing = false
    await site.putBytes(await formatObjectKey('ana'), new TextEncoder().encode('nothing'))
    site.now += 5_000
    expect((await site.read('/catalogo/ana'))[0]).toBe(200)
    site.now += HOUR
    expect((await site.read('/catalogo/ana'))[0]).toBe(503)
  })

  it('pages go on without the cache', async () => {
    site.isStoreFailing = false
    site.cache.match = () => Promise.reject(new Error('the cache failed'))
    site.cache.put = () => Promise.reject(new Error('the cache failed'))
    expect((await site.read('/catalogo/ana'))[0]).toBe(200)
    expect(site.lines).toContainEqual('pages: the cache failed: the cache failed')
  })
})

describe('an object of other code', () => {
  const policyOf = async (path: string): Promise<string | null> =>
    (await site.ask(path)).headers.get('content-security-policy')

  beforeEach(() => site.put('ana', createSellerOf('Ana', 'p1'), createEdgeRenderer('old')))

  it('is rendered from its data, with the policy of this renderer', async () => {
    expect(await read('/catalogo/ana')).toMatch(/^one {"kind":"catalogue"/)
    expect(await policyOf('/catalogo/ana')).toBe('policy of one')
  })

  it('is rendered once for equal data, and so are the pages of products', async () => {
    const rendered: string[] = []
    const plain = createEdgeRenderer('one')
    const render = async (page: ScreenPage): Promise<string> => (rendered.push(page.kind), plain.render(page))
    site.renderer = { ...plain, render }
    const paths = ['/catalogo/ana', '/catalogo/ana/p1', '/catalogo/ana/p2', '/catalogo/ana/404']
    const readAll = async (): Promise<unknown> => {
      site.now += 5_000
      return Promise.all(paths.map((path) => site.read(path)))
    }
    const first = await readAll()
    expect(await readAll()).toEqual(first)
    const kinds = ['catalogue', 'product', 'unknown-product', 'unknown-product']
    expect(rendered.toSorted()).toEqual(kinds)
    expect(site.reads).toHaveLength(8)
    await site.put('ana', createSellerOf('Eva', 'p1'), createEdgeRenderer('old'))
    expect(await readAll()).not.toEqual(first)
    expect(rendered.toSorted()).toEqual([...kinds, ...kinds].toSorted())
  })

  it('is shown as it was stored, with its own policy, if it cannot be rendered', async () => {
    site.renderer = createEdgeRenderer('one', () => {
      throw new Error('no such colour')
    })
    expect(await read('/catalogo/ana')).toMatch(/^old {"kind":"catalogue"/)
    expect(await policyOf('/catalogo/ana')).toBe('policy of old')
    expect(site.lines[0]).toContain('no such colour')
    const product = await site.ask('/catalogo/ana/p1')
    expect([product.status, product.headers.get('location')]).toEqual([302, '/catalogo/ana'])
  })

  it('is shown as it was stored if its format is another one', async () => {
    const facts = { version: 9, format: 99, intake: '', code: 'later', policy: 'of later', etag: 'x' }
    const { bytes } = formatPageObject(facts, 'not JSON', '<p>later</p>')
    await site.putBytes(await formatObjectKey('ana'), bytes)
    expect(await site.read('/catalogo/ana')).toEqual([200, '<p>later</p>'])
    expect(await policyOf('/catalogo/ana')).toBe('of later')
    expect((await site.ask('/catalogo/ana/p1')).headers.get('location')).toBe('/catalogo/ana')
    expect(site.lines).toEqual([])
  })
})

describe('a file', () => {
  const bytes = new Uint8Array([255, 216, 0])

  it('of a picture is read once an hour, and typed by its name', async () => {
    await site.putBytes('fotos/a.webp', bytes)
    await site.putBytes('social/b.jpg', bytes)
    const response = await site.ask('/fotos/a.webp')
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes)
    expect(response.headers.get('content-type')).toBe('image/webp')
    expect(response.headers.get('cache-control')).toBe(
      'public, max-age=86400, stale-while-revalidate=31536000',
    )
    expect((await site.ask('/social/b.jpg')).headers.get('content-type')).toBe('image/jpeg')
    site.now += HOUR - 1
    expect((await site.read('/fotos/a.webp'))[0]).toBe(200)
    expect(site.reads.length).toBe(2)
  })

  it('that is missing is looked for again when its entry is old', async () => {
    expect(await site.read('/fotos/a.webp')).toEqual(SCREEN)
    await site.putBytes('fotos/a.webp', bytes)
    site.now += 5_000
    expect((await site.read('/fotos/a.webp'))[0]).toBe(200)
  })

  it('with a hash in its name comes from the deployment, or from earlier ones', async () => {
    site.files = { '/_astro/now.js': 'now' }
    await site.putBytes('_astro/then.css', bytes)
    expect(await site.read('/_astro/now.js')).toEqual([200, 'now'])
    expect(site.reads).toEqual([])
    const response = await site.ask('/_astro/then.css')
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8'])
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(await site.read('/_astro/never.js')).toEqual(SCREEN)
  })
})

describe('the sitemap', () => {
  it('shows what the coordinator knows, read at most once a minute', async () => {
    site.buckets = [3]
    expect(await read('/sitemap.xml')).toContain('<loc>https://vitrina.example/sitemaps/03.xml</loc>')
    expect(await read('/sitemaps/03.xml')).toContain('<loc>https://vitrina.example/catalogo/s3</loc>')
    expect(await read('/sitemaps/home.xml')).toContain('<loc>https://vitrina.example/</loc>')
    expect(await site.read('/sitemaps/04.xml')).toEqual(SCREEN)
    site.buckets = [4]
    site.now += 59_999
    expect(await read('/sitemap.xml')).toContain('03.xml')
    site.now += 1
    expect(await read('/sitemap.xml')).toContain('04.xml')
    expect((await site.ask('/sitemap.xml')).headers.get('content-type')).toBe('application/xml')
    expect(site.reads).toEqual([])
  })

  it('has a new file as soon as other pages are fresh, since the index may name it', async () => {
    expect(await site.read('/sitemaps/04.xml')).toEqual(SCREEN)
    site.buckets = [4]
    site.now += 5_000
    expect((await site.read('/sitemaps/04.xml'))[0]).toBe(200)
  })
})
