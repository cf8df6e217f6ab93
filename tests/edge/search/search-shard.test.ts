/** The Durable Object itself, on a storage in memory. */
import { expect, it, vi } from 'vitest'
import { createUpdate } from '../../../src/domain/search/search-index.ts'
import { joinShards } from '../../../src/edge/search/join-shards.ts'
import { SearchShard } from '../../../src/edge/search/search-shard.ts'
import { createEntry, createProduct } from '../../support/search/search-entries.ts'
import { createStorage } from '../../../scripts/prove/search/shard-storage.ts'

vi.mock('cloudflare:workers', () => ({
  DurableObject: class {
    readonly ctx: unknown
    readonly env: unknown
    constructor(ctx: unknown, env: unknown) {
      this.ctx = ctx
      this.env = env
    }
  },
}))

it('keeps what it is told when it starts again', async () => {
  const storage = {
    ...createStorage(),
    getAlarm: async () => null,
    setAlarm: async () => {},
    deleteAlarm: async () => {},
  }
  const state = { storage, blockConcurrencyWhile: async () => {}, waitUntil: () => {} }
  const entry = createEntry('ana', 'Ana', [createProduct('p', 'Eros')])
  const update = await createUpdate('ana', entry, { sequence: 1 })
  expect(await new SearchShard(state, {}).update([update, update])).toEqual(['stored', 'equal'])
  const shard = new SearchShard(state, {})
  expect(await shard.count()).toEqual({ sellers: 1, products: 1 })
  const { products } = await joinShards({ shards: [shard], log: () => {} }).search('eros')
  expect(products.map(({ seller }) => seller.name)).toEqual(['Ana'])
  const { bucket, digest } = update
  expect(await shard.listSellers(bucket, null)).toEqual([{ seller: 'ana', sequence: 1, digest }])
  expect(await shard.digestBuckets()).toHaveLength(1)
  await shard.clear(Date.now())
  expect(await shard.listSellers(bucket, null)).toEqual([])
})
