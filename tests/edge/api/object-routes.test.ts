/** The calls about objects at the door: signed, limited, parsed. Nothing of what is refused reaches the store. */
import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import { digestText } from '../../../src/domain/objects/digest.ts'
import { formatObjectData } from '../../../src/domain/objects/object-data.ts'
import { LARGEST_BATCH, LARGEST_PUSH } from '../../../src/domain/wire/call.ts'
import type { ApiOptions } from '../../../src/edge/api/routes.ts'
import { callApi, createApi, NOTICES, pack } from '../../support/edge/call-api.ts'
import type { MemoryHost } from '../../support/edge/object-host.ts'
import { createMemoryHost, createHostProduct, createHostSeller } from '../../support/edge/object-host.ts'

let host: MemoryHost
let options: ApiOptions
beforeEach(() => {
  host = createMemoryHost()
  options = createApi({ openObjects: () => host, log: host.log })
})

const call = (path: string, body: unknown, secret?: string) => callApi(options, path, body, secret)

/** A valid batch but for what is given. */
function createBatch(more: object = {}): object {
  const objects = [{ name: 'ana', tag: null, data: createHostSeller('ana') }]
  return { format: 1, intake: 'reader', isShrinkAllowed: false, objects, ...more }
}

const createObjects = (count: number): readonly object[] =>
  Array.from({ length: count }, (_, index) => ({ name: `s${index}`, tag: null, data: null }))

const CALLS: readonly (readonly [path: string, body: object])[] = [
  ['/tags', { names: ['ana'] }],
  ['/push', pack(createBatch())],
  ['/missing', { paths: ['fotos/a.avif'] }],
  ['/files', { files: [{ path: 'fotos/a.avif', content: 'AAAA' }] }],
]

it.each(CALLS)('%s exists only in a site of objects, and only for builders', async (path, body) => {
  expect((await call(path, body))[0]).toBe(200)
  const keys = [...host.objects.keys()]
  expect((await call(path, body, NOTICES))[0]).toBe(401)
  const { openObjects, ...others } = options
  options = others
  expect(openObjects).toBeDefined()
  expect((await call(path, body))[0]).toBe(404)
  expect([...host.objects.keys()]).toEqual(keys)
})

describe('a push', () => {
  it('is answered for each object', async () => {
    expect(await call('/push', pack(createBatch()))).toEqual([
      200,
      { results: [{ name: 'ana', outcome: 'stored', tag: expect.any(String), version: expect.any(Number) }] },
    ])
  })

  it.each<[number, string, () => unknown]>([
    [400, 'no base64', () => ({ gzip: '*' })],
    [400, 'no gzip', () => ({ gzip: 'AAAA' })],
    [
      400,
      'a stream that is cut',
      () => ({ gzip: gzipSync('{}'.repeat(1_000)).subarray(0, 20).toString('base64') }),
    ],
    [400, 'no JSON', () => ({ gzip: gzipSync('{').toString('base64') })],
    [400, 'no UTF-8', () => ({ gzip: gzipSync(Buffer.from([0x22, 0xff, 0x22])).toString('base64') })],
    [400, 'a batch that is not packed', () => createBatch()],
    [400, 'no flag', () => pack(createBatch({ isShrinkAllowed: 1 }))],
    [400, 'a tag that is none', () => pack(createBatch({ objects: [{ name: 'ana', tag: 1, data: null }] }))],
    [400, 'an object without a tag', () => pack(createBatch({ objects: [{ name: 'ana', data: null }] }))],
    [400, 'too many objects', () => pack(createBatch({ objects: createObjects(101) }))],
    [400, 'a name twice', () => pack(createBatch({ objects: [...createObjects(1), ...createObjects(1)] }))],
    [422, 'another format', () => pack(createBatch({ format: 2 }))],
    [413, 'a bomb', () => ({ gzip: gzipSync(Buffer.alloc(LARGEST_BATCH + 1, ' ')).toString('base64') })],
    [413, 'too large a body', () => ({ gzip: 'A'.repeat(LARGEST_PUSH) })],
  ])('is %i with %s, and nothing is stored', async (status, _, body) => {
    expect((await call('/push', body()))[0]).toBe(status)
    expect(host.objects.size).toBe(0)
    expect(host.lines).toEqual([])
  })

  it.each<[string, string, unknown]>([
    ['that cannot be a seller', 'a/b', null],
    ['of the site itself', '404', null],
    ['of another seller', 'ana', createHostSeller('eva')],
    ['without a name', '', createHostSeller('ana')],
    ['with a price that is none', 'ana', createHostSeller('ana', [createHostProduct('p', -1)])],
    ['of another kind', 'ana', { kind: 'page' }],
    ['that is no record', 'ana', [1]],
  ])('fails for an object %s, and for no other', async (_, name, data) => {
    const wrong = { name, tag: null, data }
    const right = { name: 'zoe', tag: null, data: createHostSeller('zoe') }
    const [status, answer] = await call('/push', pack(createBatch({ objects: [wrong, right] })))
    expect(status).toBe(200)
    expect(answer).toMatchObject({
      results: [
        { name: 'zoe', outcome: 'stored' },
        { name, outcome: 'failed', reason: expect.any(String) },
      ],
    })
    expect(host.objects.size).toBe(1)
  })

  it('of a newer builder is stored with the fields that this Worker does not know', async () => {
    const { catalogue, ...rest } = createHostSeller('ana', [createHostProduct('p')])
    const products = catalogue.products.map((product) => ({ ...product, _20ml: { price: 1 } }))
    const data = { ...rest, catalogue: { ...catalogue, products, city: 'Baní' }, more: [1] }
    const objects = [{ name: 'ana', tag: null, data, more: 1 }]
    expect((await call('/push', pack(createBatch({ objects, more: true }))))[1]).toMatchObject({
      results: [{ outcome: 'stored' }],
    })
    const digest = await digestText(formatObjectData(data))
    expect((await call('/tags', { names: ['ana'] }))[1]).toMatchObject({ objects: [{ digest }] })
  })

  it('of a seller with 20,000 products is stored', async () => {
    const products = Array.from({ length: 20_000 }, (_, index) => createHostProduct(`product-${index}`))
    const objects = [{ name: 'ana', tag: null, data: createHostSeller('ana', products) }]
    expect((await call('/push', pack(createBatch({ objects }))))[1]).toMatchObject({
      results: [{ outcome: 'stored' }],
    })
  })

  it('is 503 with a line in the log when the store fails', async () => {
    const store = { ...host.store, put: async () => Promise.reject(new Error('R2 is down')) }
    options = { ...options, openObjects: () => ({ ...host, store }) }
    expect((await call('/push', pack(createBatch())))[0]).toBe(503)
    expect(host.lines).toEqual(['rebuild: the store or the coordinator failed: R2 is down'])
  })
})

describe('tags', () => {
  it('are listed for a bucket, page by page', async () => {
    await call('/push', pack(createBatch()))
    const [, answer] = await call('/tags', { bucket: 0, after: null })
    expect(answer).toMatchObject({ worker: { code: 'one', intake: 'intake', format: 1 }, next: null })
  })

  it.each<[string, unknown]>([
    ['of a name that cannot be a seller', { names: ['a/b'] }],
    ['of too many names', { names: Array.from({ length: 101 }, (_, index) => `s${index}`) }],
    ['of a bucket that is none', { bucket: 256, after: null }],
    ['of neither', {}],
    ['of both', { names: [], bucket: 0, after: null }],
  ])('%s are refused', async (_, body) => {
    expect((await call('/tags', body))[0]).toBe(400)
  })
})

describe('files', () => {
  const createFile = (path: string, content = 'AAAA'): object => ({ files: [{ path, content }] })

  it('are missing until they are stored, and are never replaced', async () => {
    const paths = ['fotos/a-320.avif', '_astro/Filters.C0k_3-x@2~.js']
    expect(await call('/missing', { paths })).toEqual([200, { missing: paths }])
    expect(await call('/files', createFile('fotos/a-320.avif'))).toEqual([200, { stored: 1 }])
    expect(await call('/missing', { paths })).toEqual([200, { missing: paths.slice(1) }])
    expect(await call('/files', createFile('fotos/a-320.avif', 'BBBB'))).toEqual([200, { stored: 0 }])
    expect(host.objects.get('fotos/a-320.avif')?.bytes).toEqual(new Uint8Array(3))
  })

  it.each([
    'home',
    'sellers/00/ana',
    'fotos/',
    'fotos/../home',
    'fotos/..',
    'fotos/.a',
    'fotos/a/b',
    '/fotos/a',
    'fotos/a%2fb',
    'fotos/a?b',
    'fotos/a\n',
    'index.html',
    `fotos/${'a'.repeat(300)}`,
  ])('are refused under the path %j', async (path) => {
    expect((await call('/files', createFile(path)))[0]).toBe(400)
    expect((await call('/missing', { paths: [path] }))[0]).toBe(400)
    expect(host.objects.size).toBe(0)
  })

  it('are refused as a whole if one is not base64', async () => {
    const files = [
      { path: 'fotos/a', content: 'AAAA' },
      { path: 'fotos/b', content: '*' },
    ]
    expect((await call('/files', { files }))[0]).toBe(400)
    expect(host.objects.size).toBe(0)
  })
})
