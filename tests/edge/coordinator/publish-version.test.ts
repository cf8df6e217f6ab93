/** Publishing: an older version never replaces the live one. */
import { beforeEach, describe, expect, it } from 'vitest'
import { findStatusProblems } from '../../../src/domain/wire/status-problems.ts'
import { CoordinatorTwin, expectGranted } from '../../../scripts/prove/coordinator/coordinator-twin.ts'
import { makeLive, takePublishLease } from '../../support/edge/make-live.ts'

let twin: CoordinatorTwin
beforeEach(() => {
  twin = new CoordinatorTwin()
})

const GRANTED = { lease: expect.any(String), lasts: expect.any(Number) }

const refusedAs = (refused: string): object => ({ refused, reason: expect.any(String) })

describe('a version goes live', () => {
  it('when it is the first, and when it is newer than the live one', () => {
    makeLive(twin, 'one', 0)
    makeLive(twin, 'two', 10)
    makeLive(twin, 'three', 11)
    expect(twin.status().publishing.live).toMatchObject({ version: 'three', sequence: 11 })
  })

  it('not when it is older, regardless of its base', () => {
    makeLive(twin, 'new', 10)
    expect(twin.publish('old', 9)).toEqual(refusedAs('older'))
    expect(twin.publish('old', 9, 'new')).toEqual(refusedAs('older'))
    expect(twin.publish('unknown', 0)).toEqual(refusedAs('older'))
    expect(twin.status().publishing.live?.version).toBe('new')
  })

  it('of the same sequence only when the same state published the live one', () => {
    makeLive(twin, 'one', 10)
    expect(twin.publish('foreign', 10)).toEqual(refusedAs('older'))
    expect(twin.publish('foreign', 10, 'zero')).toEqual(refusedAs('older'))
    expect(twin.publish('two', 10, 'one')).toEqual(GRANTED)
  })

  it('one at a time, and a repeated call replaces the lease', () => {
    const first = takePublishLease(twin, 'one', 1)
    expect(twin.publish('two', 2)).toEqual(refusedAs('busy'))
    expect(twin.publish('one', 1)).toEqual(GRANTED)
    expect(twin.published(first)).toBeNull()
  })

  it('and a repeated report is accepted', () => {
    const lease = takePublishLease(twin, 'one', 1)
    expect([twin.published(lease), twin.published(lease)]).toEqual([{}, {}])
  })

  it('not when its publisher reports a failure', () => {
    makeLive(twin, 'one', 1)
    twin.published(takePublishLease(twin, 'two', 2), false)
    expect(twin.status().publishing).toMatchObject({ live: { version: 'one' }, doubtful: null })
    expect(twin.publish('other', 2)).toEqual(GRANTED)
  })
})

describe('a publisher that never reports', () => {
  beforeEach(() => {
    makeLive(twin, 'one', 1)
  })

  it('loses its lease, and its version counts as live', () => {
    const lease = takePublishLease(twin, 'three', 3)
    twin.now += twin.settings.publishLease
    expect(twin.published(lease)).toBeNull()
    expect(twin.status().publishing).toMatchObject({ live: { version: 'one' }, doubtful: 'three' })
    expect(twin.publish('two', 2)).toEqual(refusedAs('older'))
    makeLive(twin, 'four', 4)
    expect(twin.status().publishing).toMatchObject({ live: { version: 'four' }, doubtful: null })
  })

  it('may retry, as may a publisher that reports an unknown outcome', () => {
    twin.published(takePublishLease(twin, 'three', 3), null)
    expect(twin.status().publishing.doubtful).toBe('three')
    expect(twin.publish('two', 2)).toEqual(refusedAs('older'))
    makeLive(twin, 'three', 3)
    expect(twin.status().publishing).toMatchObject({ live: { version: 'three' }, doubtful: null })
  })
})

describe('after a rollback', () => {
  beforeEach(() => {
    makeLive(twin, 'one', 1)
    makeLive(twin, 'two', 2)
    twin.hold({ version: 'one', sequence: 1 })
  })

  it('publishing is held until it is released', () => {
    expect(twin.status().publishing).toMatchObject({
      live: { version: 'one', sequence: 1 },
      held: { reason: 'rolled back' },
    })
    expect(twin.publish('three', 3)).toEqual(refusedAs('held'))
    twin.release()
    expect(twin.status().publishing.held).toBeNull()
    expect(twin.publish('three', 3)).toEqual(GRANTED)
  })

  it('that did not wait for a running publish, nothing older than that may go live', () => {
    twin.release()
    const lease = takePublishLease(twin, 'nine', 9)
    twin.hold({ version: 'one', sequence: 1 })
    expect(twin.published(lease)).toBeNull()
    expect(twin.status().publishing).toMatchObject({ live: { version: 'one' }, doubtful: 'nine' })
    twin.release()
    expect(twin.publish('eight', 8)).toEqual(refusedAs('older'))
    expect(twin.publish('ten', 10)).toEqual(GRANTED)
  })

  it('no builder is dispatched during the hold, and one is dispatched after it even without changes', () => {
    twin.notify('a')
    expect(twin.alarm).toBeNull()
    const { lease, upTo } = expectGranted(twin.claim(null))
    twin.report({ lease, upTo, failed: [] })
    twin.release()
    expect(twin.planDispatchAtAlarm()).not.toBeNull()
  })

  it('the status reports the hold as a problem, and whether changes are pending', () => {
    expect(findStatusProblems(twin.status())).toEqual([expect.stringMatching(/^publishing is held/)])
    twin.notify('a')
    expect(findStatusProblems(twin.status())).toEqual([
      expect.stringMatching(/^changes wait, and publishing is held .*npm run deploy -- --release$/),
    ])
  })

  it('a release without a hold changes nothing', () => {
    twin.release()
    const before = twin.standing
    twin.release()
    expect(twin.standing).toEqual(before)
  })
})

describe('a hold', () => {
  it('returns the end of a running publish lease, and lets that publish finish', () => {
    const lease = takePublishLease(twin, 'one', 1)
    const until = new Date(twin.now + twin.settings.publishLease).toISOString()
    expect(twin.hold()).toEqual({ busyUntil: until })
    expect(twin.publish('two', 2)).toEqual(refusedAs('held'))
    twin.published(lease)
    expect(twin.hold()).toEqual({ busyUntil: null })
  })
})
