/** When builders are started, and how often. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { DispatchOutcome } from '../../../src/edge/coordinator/dispatch-build.ts'
import { CoordinatorTwin, expectGranted, NO_TARGET, START } from './coordinator-twin.ts'

const REFUSED: DispatchOutcome = { isSent: false, reason: 'it answered 500', retryAfter: 0 }
const SENT: DispatchOutcome = { isSent: true }

let twin: CoordinatorTwin
beforeEach(() => {
  twin = new CoordinatorTwin()
})

function dispatch(outcome: DispatchOutcome): string {
  const build = twin.wakeAtAlarm()
  if (build === null) throw new Error('nothing was dispatched')
  twin.settle(build, outcome)
  return build
}

describe('the quiet period', () => {
  it('gathers notices until none has come for a while', () => {
    const { quiet } = twin.settings
    for (let round = 0; round < 5; round += 1) {
      twin.notify(`s${round}`)
      expect(twin.alarm).toBe(twin.now + quiet)
      twin.now += quiet - 1
      expect(twin.wake()).toBeNull()
    }
    twin.now += 1
    expect(twin.wake()).not.toBeNull()
  })

  it('ends under constant change nevertheless', () => {
    const { quiet, longestWait } = twin.settings
    while (twin.now < START + longestWait) {
      twin.notify('a')
      expect(twin.wake()).toBeNull()
      twin.now += quiet / 2
    }
    expect(twin.wake()).not.toBeNull()
  })

  it('holds for a full read as well', () => {
    twin.notifyFull()
    expect(twin.alarm).toBe(START + twin.settings.quiet)
    expect(twin.wakeAtAlarm()).not.toBeNull()
  })

  it('ends in nothing without a dispatch target, and what waits is kept', () => {
    twin.target = NO_TARGET
    twin.notify('a')
    expect(twin.alarm).toBeNull()
    twin.now += twin.settings.quiet
    expect(twin.wake()).toBeNull()
    expect(twin.status()).toMatchObject({ pending: 1, waiting: true, dispatch: { target: null, next: null } })
  })
})

describe('a dispatch', () => {
  beforeEach(() => {
    twin.notify('a')
  })

  it('is one for any number of changes until a builder claims', () => {
    dispatch(SENT)
    for (let round = 0; round < 10; round += 1) {
      twin.notify(`s${round}`)
      twin.now += twin.settings.longestWait
      expect(twin.wake()).toBeNull()
    }
    expect(expectGranted(twin.claim(START)).sellers).toHaveLength(11)
  })

  it('is not made while a build runs, and made at once for what came meanwhile', () => {
    dispatch(SENT)
    const { lease, upTo } = expectGranted(twin.claim(null))
    twin.notify('b')
    twin.now += twin.settings.longestWait
    expect(twin.wake()).toBeNull()
    expect(twin.status()).toMatchObject({ running: { builder: 'machine' }, waiting: true })
    twin.report({ lease, upTo, failed: [] })
    expect(twin.alarm).toBeLessThanOrEqual(twin.now)
    expect(twin.wake()).not.toBeNull()
  })

  it('is not made when a build left nothing', () => {
    dispatch(SENT)
    const { lease, upTo } = expectGranted(twin.claim(null))
    twin.report({ lease, upTo, failed: [] })
    expect(twin.alarm).toBeNull()
  })

  it('is tried again under the same name, with growing delays, for as long as it takes', () => {
    const { first, longest } = twin.settings.dispatchRetry
    const name = dispatch(REFUSED)
    const delays: number[] = []
    for (let round = 0; round < 200; round += 1) {
      delays.push((twin.alarm ?? 0) - twin.now)
      expect(dispatch(REFUSED)).toBe(name)
    }
    expect(delays.slice(0, 4)).toEqual([first, 2 * first, 4 * first, 8 * first])
    expect(delays.at(-1)).toBe(longest)
    expect(twin.status().dispatch).toMatchObject({ tries: 201, error: { reason: 'it answered 500' } })
    dispatch(SENT)
    expect(twin.status().dispatch).toMatchObject({ error: null, sent: new Date(twin.now).toISOString() })
  })

  it('is spread: two coordinators refused at once do not come back at once', () => {
    const times = [0, 0.25, 0.5, 0.75, 1].map((random) => {
      const other = new CoordinatorTwin()
      other.random = random
      other.notify('a')
      const build = other.wakeAtAlarm() ?? ''
      other.settle(build, REFUSED)
      return (other.alarm ?? 0) - other.now
    })
    expect(times).toEqual([1_500, 1_750, 2_000, 2_250, 2_500])
  })

  it('waits as long as the target asks', () => {
    const build = twin.wakeAtAlarm() ?? ''
    twin.settle(build, { ...REFUSED, retryAfter: 90_000 })
    expect(twin.alarm).toBe(twin.now + 90_000)
    twin.notify('b')
    expect(twin.alarm).toBe(twin.now + 90_000)
  })

  it('whose outcome is never heard of, since the object died, is made again', () => {
    const build = twin.wakeAtAlarm()
    twin.restart()
    expect(twin.alarm).toBeGreaterThan(twin.now + twin.settings.dispatchTimeout)
    expect(twin.wakeAtAlarm()).toBe(build)
  })

  it('that no builder follows is made again under another name, ever more rarely', () => {
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

  it('whose outcome comes after the claim changes nothing', () => {
    const build = twin.wakeAtAlarm() ?? ''
    const { lease, upTo } = expectGranted(twin.claim(null))
    twin.settle(build, SENT)
    twin.settle(build, REFUSED)
    twin.notify('b')
    twin.report({ lease, upTo, failed: [] })
    expect(twin.status().dispatch).toMatchObject({ sent: null, error: null })
    expect(twin.alarm).toBe(twin.now + twin.settings.quiet)
  })
})

describe('a builder that dies', () => {
  it('loses its build, and another is started after a growing delay', () => {
    twin.notify('a')
    const { first } = twin.settings.buildRetry
    for (const delay of [first, 2 * first]) {
      dispatch(SENT)
      twin.claim(START)
      twin.now = twin.alarm ?? 0
      expect(twin.wake()).toBeNull()
      expect(twin.status()).toMatchObject({ running: null, pending: 1, result: { failed: 0 } })
      expect(twin.status().result?.error).toMatch(/not heard of/)
      expect(twin.alarm).toBe(twin.now + delay)
    }
    expect(twin.wakeAtAlarm()).not.toBeNull()
    expect(expectGranted(twin.claim(START)).sellers).toEqual(['a'])
  })
})
