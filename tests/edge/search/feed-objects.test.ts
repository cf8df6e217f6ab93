/** The index is fed by whoever puts an object. A failure stops no put, is noted, and a refresh repairs it. */
import { beforeEach, expect, it } from 'vitest'
import type { SellerData } from '../../../src/domain/objects/object-data.ts'
import { listTags } from '../../../src/edge/objects/list-tags.ts'
import { pushObjects } from '../../../src/edge/objects/push-objects.ts'
import { readObjects } from '../../../src/edge/objects/read-objects.ts'
import { createFeeder, refreshObjects } from '../../../src/edge/search/feed-objects.ts'
import type { JoinedIndex } from '../../../src/edge/search/join-shards.ts'
import type { MemoryHost } from '../../support/edge/object-host.ts'
import { createMemoryHost, createProduct, createSeller } from '../../support/edge/object-host.ts'
import { joinShards } from '../../../src/edge/search/join-shards.ts'
import { openShard } from '../../../src/edge/search/open-shard.ts'
import { createMemoryIndex, createMemoryShard } from '../../support/search/search-index.ts'
import { createStorage } from '../../../scripts/prove/search/shard-storage.ts'

let host: MemoryHost
let index: JoinedIndex
let lines: string[]
/** Calls of the index that fail before the others work. */
let failing: number
let calls: number
beforeEach(() => {
  lines = []
  ;[failing, calls] = [0, 0]
  index = createMemoryIndex(2)
  const unsteady: Pick<JoinedIndex, 'update' | 'noteUnfed'> = {
    noteUnfed: index.noteUnfed,
    update: async (updates) => {
      calls += 1
      if (calls <= failing) throw new Error('reset')
      return index.update(updates)
    },
  }
  host = { ...createMemoryHost(), feedIndex: createFeeder(unsteady, (line) => void lines.push(line)) }
})

it('is fed by the put that creates it, although its time begins after that', async () => {
  const shard = openShard(createStorage(), { now: () => Date.now() + 1_000 })
  const fresh = joinShards({ shards: [createMemoryShard(shard)], log: () => {} })
  host = { ...host, feedIndex: createFeeder(fresh, () => {}) }
  await push({ ana: createSeller('ana', [createProduct('p')]) })
  expect((await fresh.search('perfume')).products).toHaveLength(1)
})

async function push(objects: Readonly<Record<string, SellerData | null>>): Promise<readonly string[]> {
  const { objects: tags } = await listTags({ names: Object.keys(objects) }, host)
  const sent = tags.map(({ name, tag }) => ({ name, tag, data: objects[name] ?? null }))
  const batch = { format: 1, intake: '', objects: sent, isShrinkAllowed: true }
  return (await pushObjects(batch, host, () => 1)).results.map(({ outcome }) => outcome)
}

async function find(query: string): Promise<readonly string[]> {
  const { products } = await index.search(query)
  return products.map(({ seller, product }) => `${seller.id} ${product.name}`)
}

async function refresh(...names: readonly string[]): Promise<readonly (readonly [number, string])[]> {
  const results = await refreshObjects(index, await readObjects(names, host.store), Date.now())
  return results.map(({ sequence, outcome }) => [sequence, outcome])
}

it('what is put is found at once, and what is gone is not; one call of the index for a batch', async () => {
  await push({ ana: createSeller('ana'), bea: createSeller('bea', [createProduct('q')]) })
  expect(await find('perfume')).toEqual(expect.arrayContaining(['ana Perfume p', 'bea Perfume q']))
  await push({ ana: null, bea: createSeller('bea', [createProduct('r')]) })
  expect([await find('perfume'), calls]).toEqual([['bea Perfume r'], 2])
})

it('the version of the object is the sequence: an older feed that comes late changes nothing', async () => {
  await push({ ana: createSeller('ana') })
  await push({ ana: createSeller('ana', [createProduct('new')]) })
  await host.feedIndex?.([{ name: 'ana', version: 1, data: createSeller('ana') }])
  expect(await find('perfume')).toEqual(['ana Perfume new'])
})

it('an error of the index is tried again; the second is logged and noted, and the put stands', async () => {
  failing = 1
  expect(await push({ ana: createSeller('ana') })).toEqual(['stored'])
  expect([await find('perfume'), lines]).toEqual([['ana Perfume p'], []])
  ;[calls, failing] = [0, 2]
  expect(await push({ ana: null, bea: createSeller('bea') })).toEqual(['stored', 'stored'])
  expect(lines).toEqual(['search: 2 sellers were not updated: reset'])
  expect(await index.readState()).toMatchObject({ unfed: 2 })
})

it('a refresh repairs what was not fed, from the objects as they stand', async () => {
  failing = 2
  await push({ ana: createSeller('ana'), bea: null })
  expect(await refresh('ana', 'bea', 'never')).toEqual([
    [1, 'stored'],
    [1, 'stored'],
    [0, 'stored'],
  ])
  expect(await find('perfume')).toEqual(['ana Perfume p'])
  expect(await refresh('ana')).toEqual([[1, 'equal']])
})

it('a refresh tells of an index that is ahead of the objects', async () => {
  await host.feedIndex?.([{ name: 'ana', version: 9, data: createSeller('ana') }])
  await push({ ana: createSeller('ana', [createProduct('new')]) })
  expect(await refresh('ana')).toEqual([[1, 'late']])
})
