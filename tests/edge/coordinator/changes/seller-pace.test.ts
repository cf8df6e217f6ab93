/** A seller who changes all the time: her changes wait longer, those of others do not, and none is lost. */
import { beforeEach, describe, expect, it } from 'vitest'
import { CoordinatorTwin, expectGranted } from '../../../../scripts/prove/coordinator/coordinator-twin.ts'

const [SECOND, MINUTE] = [1_000, 60_000]
/** Half minutes in an hour. */
const HALF_MINUTES = 120
const QUIET = 2 * SECOND
const LONGEST = 10 * MINUTE

describe('a builder', () => {
  let twin: CoordinatorTwin
  let have: number
  let builds: number
  beforeEach(() => {
    twin = new CoordinatorTwin()
    have = 0
    builds = 0
    build(null)
  })

  function build(state: number | null = have): readonly string[] | 'all' {
    const { lease, upTo, sellers } = expectGranted(twin.claim(state))
    twin.report({ lease, upTo, failed: [] })
    have = upTo
    builds += 1
    return sellers
  }

  /** Lets the time pass, with a build at each alarm. */
  function pass(time: number): void {
    const end = twin.now + time
    for (let alarm = twin.alarm; alarm !== null && alarm <= end; alarm = twin.alarm)
      if (twin.planDispatchAtAlarm() !== null) build()
    twin.now = end
  }

  function changeOften(changes = HALF_MINUTES, pause = 30 * SECOND): void {
    for (let count = 0; count < changes; count += 1) {
      twin.notify('eva')
      pass(pause)
    }
  }

  it('is started for her at most every ten minutes, and each of her changes is done', () => {
    changeOften()
    builds = 0
    changeOften()
    expect(builds).toBeGreaterThanOrEqual(5)
    expect(builds).toBeLessThanOrEqual(7)
    twin.notify('eva')
    expect(twin.status()).toMatchObject({ pending: 1, waiting: true })
    expect((twin.alarm ?? 0) - twin.now).toBeLessThanOrEqual(LONGEST)
    pass(LONGEST)
    expect(twin.status()).toMatchObject({ pending: 0, waiting: false, oldest: null })
  })

  it('is started for others as soon as without her, and does her changes on the way', () => {
    changeOften()
    pass(LONGEST)
    twin.notify('eva')
    twin.now += MINUTE
    twin.notify('ana')
    expect((twin.alarm ?? Infinity) - twin.now).toBeLessThanOrEqual(QUIET)
    for (let count = 0; count < 30; count += 1) {
      twin.now += SECOND / 10
      twin.notify('eva')
    }
    twin.planDispatchAtAlarm()
    expect(build()).toEqual(['ana', 'eva'])
    expect(twin.alarm).toBeNull()
  })

  it('comes after a build that failed, at any pace of hers', () => {
    changeOften()
    twin.notify('eva')
    twin.planDispatchAtAlarm()
    const { lease } = expectGranted(twin.claim(have))
    twin.notify('eva')
    twin.report({ lease, error: 'it broke' })
    expect((twin.alarm ?? Infinity) - twin.now).toBeLessThanOrEqual(twin.settings.buildRetry.first)
  })

  it('comes after the usual time for many changes at once, and for some in an hour', () => {
    for (let count = 0; count < 500; count += 1) {
      twin.notify('eva')
      twin.now += 10
    }
    pass(MINUTE)
    twin.notify('eva')
    expect((twin.alarm ?? 0) - twin.now).toBe(QUIET)
    changeOften(8, 5 * MINUTE)
    twin.notify('eva')
    expect((twin.alarm ?? 0) - twin.now).toBe(QUIET)
  })

  it('comes after the usual time again when she was calm for an hour', () => {
    changeOften()
    pass(60 * MINUTE)
    twin.notify('eva')
    expect((twin.alarm ?? 0) - twin.now).toBe(QUIET)
  })

  it('is never waited for longer where the setting says so', () => {
    twin = new CoordinatorTwin({ SELLER_QUIET_MS: '0' })
    build(null)
    changeOften()
    twin.notify('eva')
    expect((twin.alarm ?? 0) - twin.now).toBe(QUIET)
  })

  it('shows who changes often in the status', () => {
    changeOften(5)
    expect(twin.status().often).toEqual([])
    changeOften()
    expect(twin.status().often).toEqual([{ seller: 'eva', changes: expect.any(Number), wait: LONGEST }])
    pass(60 * MINUTE)
    expect(twin.status().often).toEqual([])
  })
})

describe('the Worker that renders changes itself', () => {
  let twin: CoordinatorTwin
  beforeEach(() => {
    twin = new CoordinatorTwin({}, { isQueue: true })
  })

  function pass(time: number): number {
    const end = twin.now + time
    let sent = 0
    for (let next = twin.changeTime; next !== null && next <= end; next = twin.changeTime)
      for (const message of twin.sendAtAlarm()) {
        twin.settle(message, { kind: 'put' })
        sent += 1
      }
    twin.now = end
    return sent
  }

  function changeOften(): number {
    let sent = 0
    for (let count = 0; count < HALF_MINUTES; count += 1) {
      twin.notify('eva')
      sent += pass(30 * SECOND)
    }
    return sent
  }

  it('renders her at most every ten minutes, others as soon as without her, and loses none', () => {
    changeOften()
    expect(changeOften()).toBeLessThanOrEqual(7)
    twin.notify('eva')
    twin.notify('ana')
    expect(twin.status().pending).toBe(2)
    expect(pass(QUIET)).toBe(1)
    expect(pass(LONGEST)).toBe(1)
    expect(twin.status().pending).toBe(0)
  })
})
