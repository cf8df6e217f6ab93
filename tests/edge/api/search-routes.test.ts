/** The calls about the search index at the door: signed, limited, parsed, and each only in the lane that has it. */
import { gzipSync } from 'node:zlib'
import { beforeEach, expect, it } from 'vitest'
import { createUpdate } from '../../../src/domain/search/search-index.ts'
import { LARGEST_BATCH } from '../../../src/domain/wire/call.ts'
import { signMessage } from '../../../src/domain/wire/signature.ts'
import { createCallGuard } from '../../../src/edge/api/call-guard.ts'
import type { ApiOptions } from '../../../src/edge/api/routes.ts'
import { answerCall } from '../../../src/edge/api/routes.ts'
import { parseSecrets } from '../../../src/edge/coordinator/coordinator-settings.ts'
import { joinShards } from '../../../src/edge/search/join-shards.ts'
import type { JoinedIndex } from '../../../src/edge/search/join-shards.ts'
import { createMemoryHost } from '../../support/edge/object-host.ts'
import { createEntry, createProduct } from '../../support/search/search-entries.ts'
import { BROKEN_SHARD, COMPARED, createMemoryIndex } from '../../support/search/search-index.ts'

const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`
const NOTICES = `whsec_${Buffer.alloc(24, 2).toString('base64')}`
/** After the index was created. */
const NOW = Date.now() + 60_000
const ANA = createEntry('ana', 'Ana', [createProduct('p', 'Eros')])

let index: JoinedIndex
let options: ApiOptions
beforeEach(() => {
  index = createMemoryIndex(2)
  options = createOptions(index)
})

function createOptions(
  one: JoinedIndex,
  { store }: Partial<ReturnType<typeof createMemoryHost>> = {},
): ApiOptions {
  return {
    secrets: parseSecrets({ BUILDER_SECRET: SECRET, NOTICE_SECRET: NOTICES }),
    guard: createCallGuard(() => {}),
    openCoordinator: () => {
      throw new Error('unexpected call')
    },
    openSearch: () => ({ index: one, store: store ?? null }),
    log: () => {},
  }
}

async function call(path: string, body: unknown, secret = SECRET): Promise<readonly [number, unknown]> {
  const text = JSON.stringify(body)
  const headers = signMessage([secret], { id: 'message', body: text }, new Date())
  const address = `https://vitrina.do/api/rebuild/search${path}`
  const response = await answerCall(new Request(address, { method: 'POST', headers, body: text }), options)
  return [response.status, await response.json()]
}

const pack = (body: unknown): object => ({ gzip: gzipSync(JSON.stringify(body)).toString('base64') })
const update = (seller: object = {}, more: object = {}): object =>
  pack({
    isRepair: false,
    since: NOW,
    sellers: [{ seller: 'ana', sequence: 4, entry: ANA, ...seller }],
    ...more,
  })

const CALLS: readonly (readonly [path: string, body: object])[] = [
  ['/update', update()],
  ['/digests', {}],
  ['/sellers', { bucket: 1, after: null }],
  ['/begin', {}],
  ['/compared', { repaired: 3, since: NOW, floor: 0 }],
  ['/clear', { clear: true, since: NOW }],
  ['/count', {}],
]

it.each(CALLS)('%s exists only where there is an index, and only for builders', async (path, body) => {
  expect((await call(path, body))[0]).toBe(200)
  expect((await call(path, body, NOTICES))[0]).toBe(401)
  const { openSearch, ...others } = options
  options = others
  expect(openSearch).toBeDefined()
  expect((await call(path, body))[0]).toBe(404)
})

it.each(CALLS)('%s is 503 while a shard fails, to be sent again', async (path, body) => {
  options = createOptions(joinShards({ shards: [BROKEN_SHARD], log: () => {} }))
  expect((await call(path, body))[0]).toBe(503)
})

it('an update is answered for each seller, and told apart by its sequence', async () => {
  const results = (outcome: string): object => ({
    shards: 2,
    results: [{ seller: 'ana', sequence: 4, outcome }],
  })
  expect(await call('/update', update())).toEqual([200, results('stored')])
  expect(await call('/update', update())).toEqual([200, results('equal')])
  expect(await call('/update', update({}, { isRepair: true }))).toEqual([200, results('equal')])
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
  const newer = update({ entry, more: 1 }, { isRepair: true, more: 1 })
  expect((await call('/update', newer))[1]).toMatchObject({ results: [{ outcome: 'equal' }] })
})

it('tells what the index has, and how it is kept', async () => {
  await call('/update', update())
  const { bucket, digest } = await createUpdate('ana', ANA, { sequence: 4 })
  expect(await call('/sellers', { bucket, after: null })).toEqual([
    200,
    { sellers: [{ seller: 'ana', sequence: 4, digest }], next: null },
  ])
  expect(await call('/sellers', { bucket, after: 'ana' })).toEqual([200, { sellers: [], next: null }])
  expect((await call('/digests', {}))[1]).toMatchObject({ shards: 2, buckets: [{ bucket }] })
  await call('/compared', { repaired: 3, since: NOW, floor: 0 })
  const counted = { shards: 2, sellers: 1, products: 1, compared: COMPARED, repaired: 3, unfed: 0 }
  expect(await call('/count', {})).toEqual([200, counted])
  await call('/clear', { clear: true, since: NOW })
  expect((await call('/count', {}))[1]).toMatchObject({ sellers: 0 })
})

it('in lane objects the index is told nothing but what the objects are', async () => {
  options = createOptions(index, createMemoryHost())
  expect((await call('/update', update()))[0]).toBe(404)
  const results = [{ seller: 'ana', sequence: 0, outcome: 'stored' }]
  expect(await call('/refresh', { names: ['ana'], since: NOW })).toEqual([200, { shards: 2, results }])
  options = createOptions(index)
  expect((await call('/refresh', { names: ['ana'], since: NOW }))[0]).toBe(404)
})

it.each<[number, string, string, object]>([
  [400, 'an update that is not packed', '/update', { isRepair: false, sellers: [] }],
  [400, 'no gzip', '/update', { gzip: 'AAAA' }],
  [413, 'too much of it', '/update', { gzip: gzipSync(' '.repeat(LARGEST_BATCH + 1)).toString('base64') }],
  [400, 'another seller', '/update', update({ seller: 'bea' })],
  [400, 'the home page', '/update', update({ seller: '', entry: null })],
  [400, 'a seller without products', '/update', update({ entry: { ...ANA, products: [] } })],
  [
    400,
    'a product twice',
    '/update',
    update({ entry: { ...ANA, products: [...ANA.products, ...ANA.products] } }),
  ],
  [400, 'no sequence', '/update', update({ sequence: 1.5 })],
  [400, 'no bucket', '/sellers', { bucket: 256, after: null }],
  [400, 'more than asked', '/digests', { all: true }],
  [400, 'no assent', '/clear', {}],
])('answers %i to %s', async (status, _, path, body) => {
  expect((await call(path, body))[0]).toBe(status)
  expect((await index.readState()).sellers).toBe(0)
})

it('takes at most 100 sellers, each once', async () => {
  const create = (count: number): object =>
    pack({
      isRepair: false,
      since: NOW,
      sellers: Array.from({ length: count }, (_, at) => ({ seller: `s${at}`, sequence: 1, entry: null })),
    })
  expect((await call('/update', create(100)))[0]).toBe(200)
  expect((await call('/update', create(101)))[0]).toBe(400)
  const twice = { seller: 'ana', sequence: 1, entry: null }
  expect((await call('/update', pack({ isRepair: false, since: NOW, sellers: [twice, twice] })))[0]).toBe(400)
})
