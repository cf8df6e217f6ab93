/** The status, the alert and the public state report changes that the Worker renders itself. */
import { beforeEach, describe, expect, it } from 'vitest'
import { CoordinatorTwin, NO_TARGET, TARGET } from '../../../../scripts/prove/coordinator/coordinator-twin.ts'
import { findVerdict } from '../../../../src/builder/commands/coordinator/find-verdict.ts'
import { formatStatus } from '../../../../src/builder/commands/coordinator/format-status.ts'
import { findStatusProblems } from '../../../../src/domain/wire/status-problems.ts'
import type { ChangeOutcome } from '../../../../src/edge/coordinator/change-ledger.ts'

const MINUTE = 60_000
const FAILED: ChangeOutcome = { kind: 'failed', reason: 'it throws' }
const DENIED: ChangeOutcome = {
  kind: 'trouble',
  reason: 'the key was revoked',
  isPermanent: true,
  retryAfter: 0,
}
const BUSY: ChangeOutcome = { kind: 'trouble', reason: 'quota', isPermanent: false, retryAfter: 0 }

let twin: CoordinatorTwin
beforeEach(() => {
  twin = new CoordinatorTwin({}, { isQueue: true })
  twin.build(null)
})

/** Problems beside that nothing was deployed. */
function findProblems(): readonly string[] {
  twin.target = NO_TARGET
  const problems = findStatusProblems(twin.status())
  twin.target = TARGET
  return problems.filter((problem) => !problem.startsWith('no publish is recorded'))
}

function settleAll(outcome: ChangeOutcome): void {
  for (const message of twin.sendAtAlarm()) twin.settle(message, outcome)
}

function readRows(...labels: readonly string[]): readonly (string | undefined)[] {
  const status = twin.status()
  const judged = { ...findVerdict(status, null), hosted: null, problem: null, search: null }
  const text = formatStatus('https://vitrina.do', status, judged)
  return labels.map((label) => new RegExp(`^${label} +(.*)$`, 'm').exec(text)?.[1])
}

describe('the status', () => {
  it('shows how many wait, since when, and how many are sent', async () => {
    twin.notify('a', 'b', '1')
    twin.sendAtAlarm()
    twin.now += 10 * MINUTE
    twin.notify('c')
    expect(twin.status()).toMatchObject({
      pending: 4,
      dispatch: { target: 'the queue of changes; full reads go to GitHub o/n' },
      changes: { waiting: 4, sent: 3, silent: 0, held: 0, trouble: null, large: 0, needsBuilder: false },
    })
    expect(readRows('at the edge')).toEqual([
      '4 sellers waiting, the oldest change 10 min old, 3 messages sent and unanswered',
    ])
    expect((await twin.calls.readSiteState()).waiting).toEqual({
      count: 4,
      since: twin.status().changes?.oldest,
    })
    expect(findProblems()).toEqual([])
  })

  it('lists pages that fail among the failures', () => {
    twin.notify('a')
    for (let round = 0; round < 3; round += 1) settleAll(FAILED)
    const [failure] = twin.status().failures
    expect(failure).toMatchObject({ seller: 'a', reason: 'it throws', attempts: 3 })
    expect(twin.status().failed).toBe(1)
    expect(findProblems()).toEqual(['seller a failed 3 times: it throws'])
  })

  it('names trouble at once if only a person ends it, else when it lasts', () => {
    twin.notify('a', 'b')
    settleAll(BUSY)
    expect(findProblems()).toEqual([])
    settleAll(BUSY)
    settleAll(BUSY)
    twin.now += MINUTE
    expect(findProblems()).toEqual(['changes of 2 sellers have waited for 1 minute: quota'])
    settleAll(DENIED)
    expect(findProblems()).toEqual(['changes of 2 sellers have waited for 1 minute: the key was revoked'])
    expect(readRows('trouble')[0]).toMatch(
      /^the key was revoked, for .*; a person must solve it \(try 4, next try in .*\)$/,
    )
  })

  it('says when nothing takes the messages', () => {
    twin.notify('a')
    for (let round = 0; round < 4; round += 1) twin.sendAtAlarm()
    expect(findProblems()).toContainEqual(expect.stringMatching(/^a change was sent to the queue 3 times/))
  })

  it('says when something waits for a builder and there is none', () => {
    twin.notify('a')
    settleAll({ kind: 'large', reason: 'it has 9,000 products' })
    expect(readRows('to a builder')).toEqual(['seller a: it has 9,000 products'])
    expect(findStatusProblems(twin.status()).join()).not.toContain('DISPATCH_FULL')
    expect(findProblems()).toContainEqual(expect.stringMatching(/DISPATCH_FULL names no builder/))
  })
})

it('leaves the cost of a notice alone, however many wait', () => {
  const plans = [
    'SELECT * FROM feed WHERE phase = ? AND at <= ? AND seller IS NOT ? ORDER BY at LIMIT 9',
    'SELECT at FROM feed WHERE phase = ? AND seller IS NOT ? ORDER BY at LIMIT 1',
    'SELECT * FROM feed WHERE kind = ? ORDER BY first LIMIT 9',
    'SELECT * FROM feed WHERE recent > 12 AND changed > ? ORDER BY changed DESC LIMIT 9',
    'SELECT max(silent) FROM feed WHERE silent > 0',
    'SELECT seller FROM feed WHERE changed > ? ORDER BY changed, seller',
    'SELECT stranger, seller FROM feed WHERE stranger IS NOT NULL ORDER BY stranger LIMIT 9',
  ].map((query) => twin.database.prepare(`EXPLAIN QUERY PLAN ${query}`).all(...(query.match(/\?/g) ?? [])))
  expect(JSON.stringify(plans)).not.toMatch(/SCAN feed"|TEMP B-TREE/)
})
