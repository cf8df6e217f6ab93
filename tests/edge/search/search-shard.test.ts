/** The Durable Object itself, on a storage in memory. */
import { expect, it, vi } from 'vitest'
import { createUpdate } from '../../../src/domain/search/search-index.ts'
import { joinShards } from '../../../src/edge/search/join-shards.ts'
import { SearchShard } from '../../../src/edge/search/search-shard.ts'
import { createEntry, createProduct } from '../../support/search/search-entries.ts'
import { createStorage } from '../../../scripts/prove/search/memory-index.ts'
import { putSeller, seeTag } from '../../support/search/search-index.ts'

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

function createState() {
  const storage = {
    ...createStorage(),
    getAlarm: async () => null,
    setAlarm: async () => {},
    deleteAlarm: async () => {},
  }
  return { storage, blockConcurrencyWhile: async () => {}, waitUntil: () => {} }
}

it('keeps what it received when it starts again', async () => {
  const state = createState()
  const entry = createEntry('ana', 'Ana', [createProduct('p', 'Eros')])
  const first = new SearchShard(state, {})
  expect(await putSeller(first, 'ana', entry)).toBe('stored')
  const seen = await seeTag(first, 'ana')
  const shard = new SearchShard(state, {})
  expect(await shard.readState()).toMatchObject({ sellers: 1, products: 1 })
  const { products } = await joinShards({ shards: [shard], log: () => {} }).search('eros')
  expect(products.map(({ seller }) => seller.name)).toEqual(['Ana'])
  expect(await putSeller(shard, 'ana', entry, seen)).toBe('equal')
  const { bucket, digest } = await createUpdate('ana', entry, seen)
  expect(await shard.listSellers(bucket, null)).toEqual([{ seller: 'ana', digest }])
  const { buckets } = await shard.begin('one')
  expect(buckets).toHaveLength(1)
  await shard.noteCompared({ epoch: 'one', repaired: 3 })
  expect(await new SearchShard(state, {}).readState()).toMatchObject({ repaired: 3 })
})
