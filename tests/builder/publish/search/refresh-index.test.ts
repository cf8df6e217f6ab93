/** Lane `objects`: a comparison that is killed after it has cleared the index is done again. */
import { expect, it } from 'vitest'
import { CallError } from '../../../../src/builder/publish/coordinator/coordinator-client.ts'
import type { RefreshReason } from '../../../../src/builder/publish/search/refresh-index.ts'
import { refreshIndex } from '../../../../src/builder/publish/search/refresh-index.ts'
import type { Compared } from '../../../../src/builder/publish/search/compare-index.ts'
import { openSnapshot } from '../../../../src/builder/state/snapshot/open-snapshot.ts'
import { createUpdate } from '../../../../src/domain/search/search-index.ts'
import { createMemoryHost } from '../../../support/edge/object-host.ts'
import { createEntry, createProduct } from '../../../support/search/search-entries.ts'
import { createSearchSite } from '../../../support/search/search-site.ts'

it('is done again by the next delivery', async () => {
  const site = createSearchSite(1, createMemoryHost().store)
  const world = {
    snapshot: openSnapshot(':memory:'),
    read: () => null,
    client: site.client,
    site: 'https://one.do',
    progress: () => {},
  }
  const refresh = (reason: Partial<RefreshReason> = {}): Promise<Compared | null> =>
    refreshIndex(world, { isWhole: false, isPublished: false, ...reason })
  expect(await refresh()).toMatchObject({ repaired: 0 })
  expect(await refresh()).toBeNull()
  // The index knows a version that no object has had.
  const ghost = createEntry('ghost', 'Ghost', [createProduct('p', 'Ghost')])
  await site.index.update([await createUpdate('ghost', ghost, { sequence: 9 })])
  site.after = ({ path }) => {
    if (path === '/search/clear') throw new Error('killed')
  }
  await expect(refresh({ isWhole: true })).rejects.toThrow('killed')
  site.after = () => {}
  expect(await refresh()).not.toBeNull()
})

it('goes on behind a seller who cannot be updated', async () => {
  const site = createSearchSite(1, createMemoryHost().store)
  const sellers = ['ana', 'bea', 'caro']
  for (const seller of sellers) {
    const entry = createEntry(seller, 'Tienda', [createProduct('p', 'Eros')])
    await site.index.update([await createUpdate(seller, entry, { sequence: 0 })])
  }
  const world = {
    snapshot: openSnapshot(':memory:'),
    read: () => null,
    client: site.client,
    site: 'https://one.do',
    progress: () => {},
  }
  site.before = ({ text }) => {
    if (text.includes('"bea"')) throw new CallError('the object was reset', 500)
  }
  expect(await refreshIndex(world, { isWhole: true, isPublished: false })).toMatchObject({
    repaired: 2,
    failed: 1,
  })
  expect((await site.index.search('eros')).products.map(({ seller }) => seller.id)).toEqual(['bea'])
})
