/** The index is fed by whoever puts an object. A failure stops no put, is noted, and a later pull repairs it. */
import { beforeEach, expect, it } from 'vitest'
import type { SellerData } from '../../../src/domain/objects/object-data.ts'
import { listTags } from '../../../src/edge/objects/list-tags.ts'
import { formatObjectKey } from '../../../src/domain/objects/object-key.ts'
import { formatPageObject } from '../../../src/edge/objects/page-object.ts'
import { acceptObjects } from '../../../src/edge/objects/push-objects.ts'
import { readObject } from '../../../src/edge/objects/read-object.ts'
import { createFeeder } from '../../../src/edge/search/feed-objects.ts'
import type { JoinedIndex } from '../../../src/edge/search/join-shards.ts'
import type { MemoryHost } from '../../support/edge/object-host.ts'
import { createMemoryHost, createHostProduct, createHostSeller } from '../../support/edge/object-host.ts'
import { createMemoryIndex } from '../../support/search/search-index.ts'

let host: MemoryHost
let index: JoinedIndex
let lines: string[]
/** Calls of the index that fail before the others work. */
let failing: number
let calls: number
beforeEach(() => {
  lines = []
  ;[failing, calls] = [0, 0]
  const memory = createMemoryHost()
  index = createMemoryIndex(2, { readData: (seller) => readObject(seller, memory.store) })
  const unsteady: Pick<JoinedIndex, 'pull' | 'noteUnfed'> = {
    noteUnfed: index.noteUnfed,
    pull: async (names) => {
      calls += 1
      if (calls <= failing) throw new Error('reset')
      return index.pull(names)
    },
  }
  host = { ...memory, feedIndex: createFeeder(unsteady, (line) => void lines.push(line)) }
})

async function push(objects: Readonly<Record<string, SellerData | null>>): Promise<readonly string[]> {
  const { objects: tags } = await listTags({ names: Object.keys(objects) }, host)
  const sent = tags.map(({ name, tag }) => ({ name, tag, data: objects[name] ?? null }))
  const batch = { format: 1, intake: '', objects: sent, isShrinkAllowed: true }
  return (await acceptObjects(batch, host, () => 1)).results.map(({ outcome }) => outcome)
}

async function find(query: string): Promise<readonly string[]> {
  const { products } = await index.search(query)
  return products.map(({ seller, product }) => `${seller.id} ${product.name}`)
}

it('what is put is found at once, and what is gone is not; one call of the index for a batch', async () => {
  await push({ ana: createHostSeller('ana'), bea: createHostSeller('bea', [createHostProduct('q')]) })
  expect(await find('perfume')).toEqual(expect.arrayContaining(['ana Perfume p', 'bea Perfume q']))
  await push({ ana: null, bea: createHostSeller('bea', [createHostProduct('r')]) })
  expect([await find('perfume'), calls]).toEqual([['bea Perfume r'], 2])
})

it('a feed that comes late changes nothing: the present object is read', async () => {
  await push({ ana: createHostSeller('ana') })
  await push({ ana: createHostSeller('ana', [createHostProduct('new')]) })
  await host.feedIndex?.(['ana'])
  expect(await find('perfume')).toEqual(['ana Perfume new'])
})

it('an error of the index is tried again; the second is logged and noted, and the put is kept', async () => {
  failing = 1
  expect(await push({ ana: createHostSeller('ana') })).toEqual(['stored'])
  expect([await find('perfume'), lines]).toEqual([['ana Perfume p'], []])
  ;[calls, failing] = [0, 2]
  expect(await push({ ana: null, bea: createHostSeller('bea') })).toEqual(['stored', 'stored'])
  expect(lines).toEqual(['search: the update of 2 sellers failed: reset'])
  expect(await index.readState()).toMatchObject({ unfed: 2 })
})

it('a later pull repairs what was not fed, from the present objects', async () => {
  failing = 2
  await push({ ana: createHostSeller('ana'), bea: null })
  expect(await index.pull(['ana', 'bea', 'never'])).toEqual(['stored', 'stored', 'stored'])
  expect(await find('perfume')).toEqual(['ana Perfume p'])
  expect(await index.pull(['ana'])).toEqual(['equal'])
})

it('an object of another format is not read', async () => {
  const key = await formatObjectKey('ana')
  const facts = { version: 1, code: 'a', intake: 'a', format: 99, policy: '', etag: '' }
  const { bytes } = formatPageObject(facts, '{}', '')
  await host.store.put(key, bytes, { seen: null, notes: {} })
  expect(await index.pull(['ana'])).toEqual(['failed'])
  expect(await index.readState()).toMatchObject({ unfed: 1, sellers: 0 })
})
