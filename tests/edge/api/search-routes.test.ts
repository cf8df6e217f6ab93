/** The calls about the search index at the door: signed, limited, parsed. */
import { gzipSync } from 'node:zlib'
import { beforeEach, expect, it } from 'vitest'
import { createUpdate } from '../../../src/domain/search/search-index.ts'
import { LARGEST_BATCH } from '../../../src/domain/wire/call.ts'
import type { ApiOptions } from '../../../src/edge/api/routes.ts'
import { joinShards } from '../../../src/edge/search/join-shards.ts'
import type { JoinedIndex } from '../../../src/edge/search/join-shards.ts'
import { callApi, createApi, NOTICES, pack } from '../../support/edge/call-api.ts'
import { createEntry, createProduct } from '../../support/search/search-entries.ts'
import { BROKEN_SHARD, COMPARED, createMemoryIndex } from '../../support/search/search-index.ts'

const ANA = createEntry('ana', 'Ana', [createProduct('p', 'Eros')])

let index: JoinedIndex
let options: ApiOptions
beforeEach(() => {
  index = createMemoryIndex(2)
  options = createOptions(index)
})

const createOptions = (one: JoinedIndex): ApiOptions => createApi({ openSearch: () => one })

const call = (path: string, body: unknown, secret?: string) =>
  callApi(options, `/search${path}`, body, secret)
const update = (seller: object = {}, more: object = {}): object =>
  pack({ sellers: [{ seller: 'ana', seen, entry: ANA, ...seller }], ...more })

/** The tag of ana before her first update. */
let seen: string
beforeEach(async () => {
  seen = (await index.see(['ana'])).tags[0] ?? ''
})

const CALLS: readonly (readonly [path: string, body: () => object])[] = [
  ['/see', () => ({ see: ['ana'] })],
  ['/update', update],
  ['/begin', () => ({ compare: true })],
  ['/sellers', () => ({ bucket: 1, after: null })],
  ['/compared', () => ({ epoch: 'one', repaired: 3 })],
  ['/count', () => ({})],
]

it.each(CALLS)('%s exists only where there is an index, and only for builders', async (path, body) => {
  expect((await call(path, body()))[0]).toBe(200)
  expect((await call(path, body(), NOTICES))[0]).toBe(401)
  const { openSearch, ...others } = options
  options = others
  expect(openSearch).toBeDefined()
  expect((await call(path, body()))[0]).toBe(404)
})

it.each(CALLS)('%s is 503 while a shard fails, to be sent again', async (path, body) => {
  options = createOptions(joinShards({ shards: [BROKEN_SHARD], log: () => {} }))
  expect((await call(path, body()))[0]).toBe(503)
})

it('an update is carried out under the tag that was seen', async () => {
  expect(await call('/see', { see: ['ana'] })).toEqual([200, { life: expect.any(String), tags: [seen] }])
  expect(await call('/update', update())).toEqual([200, { outcomes: ['stored'] }])
  expect(await call('/update', update())).toEqual([200, { outcomes: ['beaten'] }])
  ;[seen = ''] = (await index.see(['ana'])).tags
  expect(await call('/update', update())).toEqual([200, { outcomes: ['equal'] }])
  expect((await index.search('eros')).products).toHaveLength(1)
})

it('an update of a newer publisher is taken without the fields that this Worker does not know', async () => {
  await call('/update', update())
  const products = ANA.products.map((one) => ({
    product: { ...one.product, more: 1 },
    picture: null,
    more: 1,
  }))
  const entry = { seller: { ...ANA.seller, more: 1 }, products, more: 1 }
  ;[seen = ''] = (await index.see(['ana'])).tags
  expect((await call('/update', update({ entry, more: 1 }, { more: 1 })))[1]).toEqual({ outcomes: ['equal'] })
})

it('shows what the index has, and how it is kept', async () => {
  await call('/update', update())
  const { bucket, digest } = await createUpdate('ana', ANA, '')
  expect(await call('/sellers', { bucket, after: null })).toEqual([
    200,
    { sellers: [{ seller: 'ana', digest }], next: null },
  ])
  expect(await call('/sellers', { bucket, after: 'ana' })).toEqual([200, { sellers: [], next: null }])
  const { life } = await index.readState()
  const [, begun] = await call('/begin', { compare: true })
  expect(begun).toMatchObject({ life, buckets: [{ bucket }] })
  await call('/compared', { ...pickEpoch(begun), repaired: 3 })
  const counted = { life, shards: 2, sellers: 1, products: 1, compared: COMPARED, repaired: 3, unfed: 0 }
  expect(await call('/count', {})).toEqual([200, counted])
})

function pickEpoch(begun: unknown): object {
  const { epoch } = begun as { readonly epoch: string }
  return { epoch }
}

it.each<[number, string, string, object | (() => object)]>([
  [400, 'an update that is not packed', '/update', { sellers: [] }],
  [400, 'no gzip', '/update', { gzip: 'AAAA' }],
  [413, 'too much of it', '/update', { gzip: gzipSync(' '.repeat(LARGEST_BATCH + 1)).toString('base64') }],
  [400, 'another seller', '/update', () => update({ seller: 'bea' })],
  [400, 'the home page', '/update', () => update({ seller: '', entry: null })],
  [400, 'a seller without products', '/update', () => update({ entry: { ...ANA, products: [] } })],
  [
    400,
    'a product twice',
    '/update',
    () => update({ entry: { ...ANA, products: [...ANA.products, ...ANA.products] } }),
  ],
  [400, 'no tag', '/update', () => update({ seen: null })],
  [400, 'no bucket', '/sellers', { bucket: 256, after: null }],
  [400, 'more than asked', '/count', { all: true }],
  [400, 'no word of a comparison', '/begin', {}],
  [400, 'the body of another call', '/sellers', { see: ['ana'] }],
])('answers %i to %s', async (status, _, path, body) => {
  expect((await call(path, typeof body === 'function' ? body() : body))[0]).toBe(status)
  expect((await index.readState()).sellers).toBe(0)
})

it('takes at most 100 sellers, each once', async () => {
  const create = (count: number): object =>
    pack({ sellers: Array.from({ length: count }, (_, at) => ({ seller: `s${at}`, seen: '', entry: null })) })
  expect((await call('/update', create(100)))[0]).toBe(200)
  expect((await call('/update', create(101)))[0]).toBe(400)
  const twice = { seller: 'ana', seen: '', entry: null }
  expect((await call('/update', pack({ sellers: [twice, twice] })))[0]).toBe(400)
})
