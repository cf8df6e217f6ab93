/** Lane `objects`: a comparison that is killed is done again, and one seller stops no other. */
import { beforeEach, expect, it } from 'vitest'
import { putEntries } from '../../../../scripts/prove/search/memory-index.ts'
import { CallError } from '../../../../src/builder/publish/coordinator/coordinator-client.ts'
import type { Compared } from '../../../../src/builder/publish/search/compare-index.ts'
import type { RefreshReason } from '../../../../src/builder/publish/search/refresh-index.ts'
import { refreshIndex } from '../../../../src/builder/publish/search/refresh-index.ts'
import { openSnapshot } from '../../../../src/builder/state/snapshot/open-snapshot.ts'
import { createEntry, createProduct } from '../../../support/search/search-entries.ts'
import { createMemoryIndex } from '../../../support/search/search-index.ts'
import type { SearchSite } from '../../../support/search/search-site.ts'
import { createSearchSite } from '../../../support/search/search-site.ts'

let site: SearchSite
let refresh: (reason?: Partial<RefreshReason>) => Promise<Compared | null>
beforeEach(() => {
  // A site without sellers.
  site = createSearchSite(1, async () => null)
  const world = {
    snapshot: openSnapshot(':memory:'),
    read: () => null,
    client: site.client,
    site: 'https://one.do',
    progress: () => {},
  }
  refresh = (reason = {}) => refreshIndex(world, { isWhole: false, isPublished: false, ...reason })
})

const sell = (seller: string) =>
  [seller, createEntry(seller, 'Tienda', [createProduct('p', 'Eros')])] as const

it('is done once, and again by the next delivery if it is killed', async () => {
  site.before = ({ path }) => {
    if (path === '/search/compared') throw new Error('killed')
  }
  await expect(refresh()).rejects.toThrow('killed')
  site.before = () => {}
  expect(await refresh()).toMatchObject({ repaired: 0 })
  expect(await refresh()).toBeNull()
  expect(await refresh({ isPublished: true })).toBeNull()
})

it('is due when everything is compared, and for an index of another life', async () => {
  await refresh()
  await putEntries(site.index, [sell('ghost')])
  expect(await refresh({ isWhole: true })).toMatchObject({ repaired: 1 })
  site.index = createMemoryIndex(2, { readData: async () => null })
  // Another builder has compared it.
  await site.index.noteCompared({ epoch: (await site.index.begin()).epoch, repaired: 0 })
  expect(await refresh()).toBeNull()
  expect(await refresh({ isPublished: true })).toMatchObject({ repaired: 0 })
})

it('ends if more than ten sellers cannot be updated, in whichever buckets they are', async () => {
  await putEntries(
    site.index,
    Array.from({ length: 30 }, (_, at) => sell(`s${at}`)),
  )
  site.before = ({ path }) => {
    if (path === '/search/pull') throw new CallError('the object was reset', 500)
  }
  await expect(refresh({ isWhole: true })).rejects.toThrow('the object was reset')
})

it('goes on behind a seller who cannot be updated', async () => {
  await putEntries(site.index, ['ana', 'bea', 'caro'].map(sell))
  site.before = ({ text }) => {
    if (text.includes('"bea"')) throw new CallError('the object was reset', 500)
  }
  expect(await refresh({ isWhole: true })).toMatchObject({ repaired: 2, failed: 1 })
  expect((await site.index.search('eros')).products.map(({ seller }) => seller.id)).toEqual(['bea'])
})
