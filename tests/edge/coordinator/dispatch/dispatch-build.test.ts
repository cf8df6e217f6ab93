/** When and how often a builder is dispatched. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { DispatchOutcome } from '../../../../src/edge/coordinator/dispatch/dispatch-build.ts'
import {
  CoordinatorTwin,
  expectGranted,
  NO_TARGET,
  START,
} from '../../../../scripts/prove/coordinator/coordinator-twin.ts'

const REFUSED: DispatchOutcome = { isSent: false, reason: 'HTTP 500', retryAfter: 0 }
const SENT: DispatchOutcome = { isSent: true }

let twin: CoordinatorTwin
beforeEach(() => {
  twin = new CoordinatorTwin()
})

function dispatch(outcome: DispatchOutcome): string {
  const build = twin.planDispatchAtAlarm()
  if (build === null) throw new Error('nothing was dispatched')
  twin.settleDispatch(build, outcome)
  return build
}

describe('the quiet period', () => {
  it('lasts until no notice has arrived for a while', () => {
    const { quiet } = twin.settings
    for (let round = 0; round < 5; round += 1) {
      twin.notify(`s${round}`)
      expect(twin.alarm).toBe(twin.now + quiet)
      twin.now += quiet - 1
      expect(twin.planDispatch()).toBeNull()
    }
    twin.now += 1
    expect(twin.planDispatch()).not.toBeNull()
  })

  it('ends after the longest wait even under constant change', () => {
    const { quiet, longestWait } = twin.settings
    while (twin.now < START + longestWait) {
      twin.notify(`seller-${twin.now}`)
      expect(twin.planDispatch()).toBeNull()
      twin.now += quiet / 2
    }
    expect(twin.planDispatch()).not.toBeNull()
  })

  it('applies to a full read as well', () => {
    twin.notifyFull()
    expect(twin.alarm).toBe(START + twin.settings.quiet)
    expect(twin.planDispatchAtAlarm()).not.toBeNull()
  })

  it('leads to no dispatch without a target, and pending changes are kept', () => {
    twin.target = NO_TARGET
    twin.notify('a')
    expect(twin.alarm).toBeNull()
    twin.now += twin.settings.quiet
    expect(twin.planDispatch()).toBeNull()
    expect(twin.status()).toMatchObject({ pending: 1, waiting: true, dispatch: { target: null, next: null } })
  })
})

describe('a dispatch', () => {
  beforeEach(() => {
    twin.notify('a')
  })

  it('happens once for any number of changes until a builder claims', () => {
    dispatch(SENT)
    for (let round = 0; round < 10; round += 1) {
      twin.notify(`s${round}`)
      twin.now += twin.settings.longestWait
      expect(twin.planDispatch()).toBeNull()
    }
    expect(expectGranted(twin.claim(START)).sellers).toHaveLength(11)
  })

  it('does not happen during a build, and follows at once for changes that arrived meanwhile', () => {
    dispatch(SENT)
    const { lease, upTo } = expectGranted(twin.claim(null))
    twin.notify('b')
    twin.now += twin.settings.longestWait
    expect(twin.planDispatch()).toBeNull()
    expect(twin.status()).toMatchObject({ running: { builder: 'machine' }, waiting: true })
    twin.report({ lease, upTo, failed: [] })
    expect(twin.alarm).toBeLessThanOrEqual(twin.now)
    expect(twin.planDispatch()).not.toBeNull()
  })

  it('does not happen when a build left nothing pending', () => {
    dispatch(SENT)
    const { lease, upTo } = expectGranted(twin.claim(null))
    twin.report({ lease, upTo, failed: [] })
    expect(twin.alarm).toBeNull()
  })

  it('is retried with the same build id and growing delays until it succeeds', () => {
    const { first, longest } = twin.settings.dispatchRetry
    const name = dispatch(REFUSED)
    const delays: number[] = []
    for (let round = 0; round < 200; round += 1) {
      delays.push((twin.alarm ?? 0) - twin.now)
      expect(dispatch(REFUSED)).toBe(name)
    }
    expect(delays.slice(0, 4)).toEqual([first, 2 * first, 4 * first, 8 * first])
    expect(delays.at(-1)).toBe(longest)
    expect(twin.status().dispatch).toMatchObject({ tries: 201, error: { reason: 'HTTP 500' } })
    dispatch(SENT)
    expect(twin.status().dispatch).toMatchObject({ error: null, sent: new Date(twin.now).toISOString() })
  })

  it('is retried with jitter: two coordinators refused at the same time do not retry at the same time', () => {
    const times = [0, 0.25, 0.5, 0.75, 1].map((random) => {
      const other = new CoordinatorTwin()
      other.random = random
      other.notify('a')
      const build = other.planDispatchAtAlarm() ?? ''
      other.settleDispatch(build, REFUSED)
      return (other.alarm ?? 0) - other.now
    })
    expect(times).toEqual([1_500, 1_750, 2_000, 2_250, 2_500])
  })

  it('waits as long as the target requests', () => {
    const build = twin.planDispatchAtAlarm() ?? ''
    twin.settleDispatch(build, { ...REFUSED, retryAfter: 90_000 })
    expect(twin.alarm).toBe(twin.now + 90_000)
    twin.notify('b')
    expect(twin.alarm).toBe(twin.now + 90_000)
  })

  it('is repeated when the object dies before recording the outcome', () => {
    const build = twin.planDispatchAtAlarm()
    twin.restart()
    expect(twin.alarm).toBeGreaterThan(twin.now + twin.settings.dispatchTimeout)
    expect(twin.planDispatchAtAlarm()).toBe(build)
  })

  it('is repeated with a new build id and growing delays while no builder claims', () => {
    const names = [dispatch(SENT)]
    const waits: number[] = []
    for (let round = 0; round < 10; round += 1) {
      waits.push((twin.alarm ?? 0) - twin.now)
      names.push(dispatch(SENT))
    }
    expect(new Set(names).size).toBe(11)
    expect(waits.slice(0, 3)).toEqual([1, 2, 4].map((times) => times * twin.settings.start))
    expect(waits.at(-1)).toBe(2 * 60 * 60_000)
  })

  it('changes nothing when its outcome arrives after the claim', () => {
    const build = twin.planDispatchAtAlarm() ?? ''
    const { lease, upTo } = expectGranted(twin.claim(null))
    twin.settleDispatch(build, SENT)
    twin.settleDispatch(build, REFUSED)
    twin.notify('b')
    twin.report({ lease, upTo, failed: [] })
    expect(twin.status().dispatch).toMatchObject({ sent: null, error: null })
    expect(twin.alarm).toBe(twin.now + twin.settings.quiet)
  })
})

describe('a builder that dies', () => {
  it('loses its build, and another builder is dispatched after a growing delay', () => {
    twin.notify('a')
    const { first } = twin.settings.buildRetry
    for (const delay of [first, 2 * first]) {
      dispatch(SENT)
      twin.claim(START)
      twin.now = twin.alarm ?? 0
      expect(twin.planDispatch()).toBeNull()
      expect(twin.status()).toMatchObject({ running: null, pending: 1, result: { failed: 0 } })
      expect(twin.status().result?.error).toMatch(/did not renew/)
      expect(twin.alarm).toBe(twin.now + delay)
    }
    expect(twin.planDispatchAtAlarm()).not.toBeNull()
    expect(expectGranted(twin.claim(START)).sellers).toEqual(['a'])
  })
})
