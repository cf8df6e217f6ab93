/** What the status, the alert and the public state tell of changes that the Worker renders itself. */
import { beforeEach, describe, expect, it } from 'vitest'
import { ChangesTwin } from '../../../../scripts/prove/coordinator/changes/changes-twin.ts'
import { NO_TARGET } from '../../../../scripts/prove/coordinator/coordinator-twin.ts'
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

let twin: ChangesTwin
beforeEach(() => {
  twin = new ChangesTwin()
  twin.build(null)
})

/** Problems beside that nothing was deployed. */
const findProblems = (target = twin.status().changes === null ? undefined : NO_TARGET): readonly string[] =>
  findStatusProblems(twin.status(target)).filter((problem) => !problem.startsWith('nothing was ever'))

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
  it('tells how many wait, since when, and how many are sent', async () => {
    twin.notify('a', 'b', '1')
    twin.sendAtAlarm()
    twin.now += 10 * MINUTE
    twin.notify('c')
    expect(twin.status()).toMatchObject({
      pending: 4,
      dispatch: { target: 'the queue of changes, full reads to GitHub o/n' },
      changes: { waiting: 4, sent: 3, silent: 0, held: 0, trouble: null, large: 0, needsBuilder: false },
    })
    expect(readRows('at the edge')).toEqual(['4 sellers, the oldest 10 min old, 3 messages sent'])
    expect((await twin.parts.objects.readSiteState()).waiting).toEqual({
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
    expect(findProblems()).toEqual(['changes of 2 sellers wait for 1 minute: quota'])
    settleAll(DENIED)
    expect(findProblems()).toEqual(['changes of 2 sellers wait for 1 minute: the key was revoked'])
    expect(readRows('trouble')[0]).toMatch(
      /^the key was revoked, for .*, until a person acts \(try 4, again in .*\)$/,
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
    expect(findProblems(NO_TARGET)).toContainEqual(expect.stringMatching(/DISPATCH_FULL names no builder/))
  })
})

it('leaves the cost of a notice alone, however many wait', () => {
  const plans = [
    'SELECT value FROM changes WHERE phase = ? AND at <= ? ORDER BY at LIMIT 9',
    'SELECT at FROM changes WHERE phase = ? ORDER BY at LIMIT 1',
    "SELECT at FROM changes WHERE phase = ? AND name NOT IN (?, '') ORDER BY at LIMIT 1",
    'SELECT value FROM changes WHERE setback = ? ORDER BY name',
    'SELECT count(*) FROM sellers WHERE changed > ? AND NOT EXISTS (SELECT 1 FROM changes WHERE name = seller AND noticed >= changed)',
  ].map((query) => twin.database.prepare(`EXPLAIN QUERY PLAN ${query}`).all(...(query.match(/\?/g) ?? [])))
  const worst = twin.database.prepare(
    `EXPLAIN QUERY PLAN SELECT min(first), max(silent) FROM changes WHERE phase IN ('waiting', 'sent')`,
  )
  expect(JSON.stringify(worst.all())).toContain('COVERING INDEX changes_by_phase')
  expect(JSON.stringify(plans)).not.toMatch(/SCAN|TEMP B-TREE/)
})
