/** The question before a feed: is the own publish live, and will it stay so? */
import { expect, it } from 'vitest'
import { CoordinatorTwin } from '../../../../scripts/prove/coordinator/coordinator-twin.ts'
import { isSurelyLive } from '../../../../src/builder/commands/search/feed-site.ts'

it('a version is live until another one may be, or is being put live', () => {
  const twin = new CoordinatorTwin()
  const isLive = (version: string): boolean => isSurelyLive(twin.status().publishing, version)
  const put = (version: string, sequence: number): string => {
    const answer = twin.publish(version, sequence)
    if (!('lease' in answer)) throw new Error('the publish was refused')
    return answer.lease
  }
  const first = put('one', 1)
  expect(isLive('one')).toBe(false)
  twin.published(first)
  expect(isLive('one')).toBe(true)
  put('two', 2)
  expect(isLive('one')).toBe(false)
  twin.now += twin.settings.publishLease
  expect(twin.status().publishing).toMatchObject({ doubtful: 'two', leased: null })
  expect(isLive('one')).toBe(false)
})
