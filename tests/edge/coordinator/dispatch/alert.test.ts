/** Alerts are sent once when the site needs a person, and once when it is over. Builds do not wait for them. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { Alert } from '../../../../src/edge/coordinator/dispatch/alert.ts'
import { findAlertTime, planAlert, settleAlert } from '../../../../src/edge/coordinator/dispatch/alert.ts'
import { findStatusProblems } from '../../../../src/domain/wire/status-problems.ts'
import { CoordinatorTwin } from '../../../../scripts/prove/coordinator/coordinator-twin.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

let twin: CoordinatorTwin
let names = 0
beforeEach(() => {
  twin = new CoordinatorTwin()
  twin.forced({ version: 'v', sequence: 0, reason: 'r', by: null, at: null })
  const claimed = twin.claim(null)
  twin.report({ lease: claimed?.lease ?? '', upTo: claimed?.upTo ?? 0, failed: [] })
})

/** Checks now, as the alarm does. */
function check(): Alert | null {
  names += 1
  const problems = findStatusProblems(twin.status())
  return twin.take(planAlert, { problems, newAlert: `alert-${names}` })
}

function settle(alert: Alert | null, isSent = true): void {
  const outcome = isSent
    ? ({ isSent: true } as const)
    : ({ isSent: false, reason: 'HTTP 500', retryAfter: 0 } as const)
  twin.take(settleAlert, { id: alert?.id ?? '', reasons: alert?.reasons ?? [], outcome })
}

const nextCheck = (): number => findAlertTime(twin.standing, twin.settings, twin.now)

describe('an alert', () => {
  it('is sent once when something has needed a person for a while, and once when it is over', () => {
    expect(check()).toBeNull()
    twin.hold(null, 'prices are wrong')
    expect(check()).toBeNull()
    expect(nextCheck()).toBe(twin.now + twin.settings.alertAfter)
    twin.now = nextCheck()
    const alert = check()
    expect(alert).toMatchObject({
      type: 'site.attention',
      reasons: [expect.stringContaining('publishing is held (prices are wrong)')],
    })
    settle(alert)
    twin.now += HOUR
    expect(check()).toBeNull()
    twin.release()
    const over = check()
    expect(over).toMatchObject({ type: 'site.recovered', reasons: [expect.stringContaining('held')] })
    settle(over)
    expect(check()).toBeNull()
  })

  it('is not sent for what is over soon', () => {
    twin.hold()
    expect(check()).toBeNull()
    twin.release()
    expect(check()).toBeNull()
    twin.now += HOUR
    twin.hold()
    expect(check()).toBeNull()
  })

  it('is sent again with the same id after growing pauses until it is accepted', () => {
    twin.hold()
    check()
    twin.now += twin.settings.alertAfter
    const pauses: number[] = []
    const first = check()
    for (let round = 0; round < 10; round += 1) {
      settle(first, false)
      expect(check()).toBeNull()
      pauses.push(nextCheck() - twin.now)
      twin.now = nextCheck()
      expect(check()).toMatchObject({ id: first?.id, type: 'site.attention' })
    }
    expect(pauses[1]).toBeGreaterThan(pauses[0] ?? 0)
    expect(pauses.at(-1)).toBeLessThan(2 * HOUR)
    settle(first)
    expect(check()).toBeNull()
  })

  it('is sent again when something else needs a person, at most once an hour', () => {
    const recall = (problems: readonly string[]): Alert | null => {
      const alert = twin.take(planAlert, { problems, newAlert: `alert-${problems.length}` })
      settle(alert)
      return alert
    }
    const failing = 'seller ana failed 3 times: the photo is gone'
    expect(recall([failing])).toBeNull()
    twin.now += twin.settings.alertAfter
    expect(recall([failing])).toMatchObject({ type: 'site.attention' })
    twin.now += 10 * MINUTE
    const both = ['a change has waited for 2 hours', 'seller ana failed 4 times: the photo is gone']
    expect(recall(both)).toBeNull()
    twin.now += 49 * MINUTE
    expect(recall(both)).toBeNull()
    twin.now += MINUTE
    expect(recall(both)).toMatchObject({ type: 'site.attention', reasons: both })
    twin.now += 4 * HOUR
    const later = ['a change has waited for 2 days', 'seller luz failed 9 times: HTTP 500']
    expect(recall(later)).toBeNull()
    twin.now += twin.settings.alertAfter
    expect(recall(later)).toBeNull()
    expect(recall([])).toMatchObject({ type: 'site.recovered', reasons: later })
    expect(recall([])).toBeNull()
  })

  it('is not sent again for something else that is over soon', () => {
    const failing = 'seller ana failed 3 times: the photo is gone'
    const send = (problems: readonly string[]): Alert | null =>
      twin.take(planAlert, { problems, newAlert: `alert-${twin.now}` })
    send([failing])
    twin.now += twin.settings.alertAfter
    settle(send([failing]))
    twin.now += 2 * HOUR
    expect(send(['no builder could be started in 3 tries: HTTP 401', failing])).toBeNull()
    twin.now += MINUTE
    expect(send([failing])).toBeNull()
    expect(twin.standing.alerting.since).toBeNull()
  })

  it('that was never received is dropped when it is over', () => {
    twin.hold()
    check()
    twin.now += twin.settings.alertAfter
    settle(check(), false)
    twin.release()
    expect(check()).toBeNull()
    expect(twin.standing.alerting).toMatchObject({ since: null, sending: null })
  })

  it('survives a restart', () => {
    twin.hold()
    check()
    twin.now += twin.settings.alertAfter
    settle(check())
    twin.restart()
    twin.now += HOUR
    expect(check()).toBeNull()
  })

  it('is looked for often while something goes on, and every hour while nothing does', () => {
    expect(nextCheck() - twin.now).toBe(HOUR)
    twin.notify('a')
    expect(nextCheck() - twin.now).toBe(5 * MINUTE)
  })
})
