/** The questions before a feed: has the site an index, is the own publish live, and will it stay so? */
import { expect, it } from 'vitest'
import { LOCAL_SECRET } from '../../../support/edge/local-coordinator.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'
import { CoordinatorTwin } from '../../../../scripts/prove/coordinator/coordinator-twin.ts'
import { parseConfiguration } from '../../../../src/builder/commands/configuration.ts'
import { openSnapshot } from '../../../../src/builder/state/snapshot/open-snapshot.ts'
import { feedSite, isSurelyLive } from '../../../../src/builder/commands/search/feed-site.ts'
import { takePublishLease } from '../../../support/edge/make-live.ts'

const path = useTemporaryFolder()

it('a version is live until another one may be, or is being put live', () => {
  const twin = new CoordinatorTwin()
  const isLive = (version: string): boolean => isSurelyLive(twin.status().publishing, version)
  const first = takePublishLease(twin, 'one', 1)
  expect(isLive('one')).toBe(false)
  twin.published(first)
  expect(isLive('one')).toBe(true)
  takePublishLease(twin, 'two', 2)
  expect(isLive('one')).toBe(false)
  twin.now += twin.settings.publishLease
  expect(twin.status().publishing).toMatchObject({ doubtful: 'two', leased: null })
  expect(isLive('one')).toBe(false)
})

it('a site without a search feeds nothing', async () => {
  const snapshot = openSnapshot(':memory:')
  snapshot.writePublished({ id: 'one', run: 1 })
  const gate = { readStatus: () => Promise.reject(new Error('The coordinator was asked')) }
  const feed = (search: string): Promise<readonly string[]> => {
    const configuration = parseConfiguration({ SEARCH: search, REBUILD_SECRET: LOCAL_SECRET }, [])
    return feedSite(
      { configuration, state: path('.'), isVerify: false, progress: () => {} },
      { snapshot, gate },
      true,
    )
  }
  expect(await feed('on')).toEqual([expect.stringContaining('The coordinator was asked')])
  expect(await feed('off')).toEqual([])
  snapshot.close()
})
