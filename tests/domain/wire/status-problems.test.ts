/** The problems found in a status. */
import { beforeEach, describe, expect, it } from 'vitest'
import { findStatusProblems } from '../../../src/domain/wire/status-problems.ts'
import {
  CoordinatorTwin,
  expectGranted,
  NO_TARGET,
} from '../../../scripts/prove/coordinator/coordinator-twin.ts'
import { makeLive, takePublishLease } from '../../support/edge/make-live.ts'

const HOUR = 60 * 60_000

let twin: CoordinatorTwin
beforeEach(() => {
  twin = openPublished()
})

/** A coordinator of a site with a live version. */
function openPublished(): CoordinatorTwin {
  const one = new CoordinatorTwin()
  makeLive(one, 'v', 0)
  return one
}

const stuck = (): readonly string[] => findStatusProblems(twin.status())

function dispatchInVain(times: number): void {
  for (let round = 0; round < times; round += 1) {
    const build = twin.planDispatchAtAlarm() ?? ''
    twin.settleDispatch(build, { isSent: false, reason: 'HTTP 401', retryAfter: 0 })
  }
}

describe('the site needs a person', () => {
  it('not while nothing is pending, and not during a build', () => {
    expect(stuck()).toEqual([])
    twin.target = NO_TARGET
    expect(stuck()).toEqual([])
    twin = openPublished()
    twin.notify('a')
    const { lease, upTo } = expectGranted(twin.claim(null))
    expect(stuck()).toEqual([])
    twin.report({ lease, upTo, failed: [] })
    twin.now += 10 * HOUR
    expect(stuck()).toEqual([])
  })

  it('when changes are pending without a dispatch target', () => {
    twin.target = NO_TARGET
    twin.notifyFull()
    expect(stuck()).toEqual([
      'changes wait, and no dispatch target is set: correct the DISPATCH settings, or run npm run rebuild -- --pending --deploy',
    ])
    twin.notify('a')
    expect(stuck()).toEqual([
      'changes wait, and no dispatch target is set: correct the DISPATCH settings, or run npm run rebuild -- --pending --deploy',
    ])
  })

  it('when a full read is pending for too long', () => {
    twin.notifyFull()
    twin.now += HOUR
    expect(stuck()).toEqual(['a change has waited for 60 minutes'])
  })

  it('when no builder can be started after several tries', () => {
    twin.notify('a')
    dispatchInVain(2)
    expect(stuck()).toEqual([])
    dispatchInVain(1)
    expect(stuck()).toEqual(['no builder could be started in 3 tries: HTTP 401'])
  })

  it('when builds fail repeatedly', () => {
    twin.notify('a')
    for (let round = 0; round < 3; round += 1) {
      expect(stuck()).toEqual([])
      twin.report({ lease: expectGranted(twin.claim(null)).lease, error: 'the source is down' })
    }
    expect(stuck()).toEqual(['3 builds in a row failed: the source is down'])
  })

  it('when a seller fails repeatedly', () => {
    for (let round = 0; round < 3; round += 1) {
      twin.notify('bad')
      const { lease, upTo } = expectGranted(twin.claim(null))
      expect(stuck()).toEqual([])
      twin.report({ lease, upTo, failed: [{ seller: 'bad', reason: 'broken' }] })
    }
    expect(stuck()).toEqual(['seller bad failed 3 times: broken'])
  })

  it('when no publish is recorded', () => {
    twin = new CoordinatorTwin()
    expect(stuck()).toEqual(['no publish is recorded yet: npm run deploy'])
  })

  it('when publishing is held, with the age of the hold', () => {
    twin.hold(null, 'prices are wrong')
    twin.now += 50 * HOUR
    expect(stuck()).toEqual([
      'publishing is held (prices are wrong), for 2 days: npm run deploy -- --release',
    ])
  })

  it('when a version may be live and its publisher has not reported', () => {
    takePublishLease(twin, 'lost', 7)
    twin.now += twin.settings.publishLease
    expect(stuck()).toEqual([expect.stringContaining('version lost may be live')])
  })

  it('when nothing was published for more than a week', () => {
    twin.now += 7 * 24 * HOUR
    expect(stuck()).toEqual([])
    twin.now += 33 * 24 * HOUR
    expect(stuck()).toEqual(['nothing has been built and published for 40 days: npm run notify -- --full'])
    const { lease, upTo } = expectGranted(twin.claim(null))
    twin.report({ lease, upTo, failed: [] })
    expect(stuck()).toEqual([])
  })

  it('when a setting is invalid', () => {
    twin.target = { kind: 'none', problem: 'DISPATCH_GITHUB_TOKEN is not set' }
    expect(stuck()).toEqual(['DISPATCH_GITHUB_TOKEN is not set'])
  })
})
