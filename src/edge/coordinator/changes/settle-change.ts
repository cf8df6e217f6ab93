/** Records how the message of a change ended. Only what it covers is settled. Pure. */
import { growDelay } from '../../../domain/wire/backoff.ts'
import type { Delay } from '../../../domain/wire/backoff.ts'
import type { ChangeOutcome, SettledChange } from '../change-ledger.ts'
import type { Moment } from '../ledger.ts'
import type { Change, ChangeRecords, ChangeStep } from './change-records.ts'
import { endLease, replaceChanges } from './change-records.ts'
import { findQuietEnd } from './notice-changes.ts'
import { endTrouble, meetTrouble } from './trouble.ts'

/** What follows for others. */
export interface SettledEnd {
  /** From the first notice to the put; `null` if nothing was put. */
  readonly latency: number | null
  /** It is left to a builder. */
  readonly isLarge: boolean
  /** The seller does not exist. */
  readonly isAbsent: boolean
}

type Refused = Extract<ChangeOutcome, { kind: 'failed' | 'held' }>

const NOTHING: SettledEnd = { latency: null, isLarge: false, isAbsent: false }

/** How long an absent seller is remembered, in milliseconds: longer than any writer takes from its read to its put. */
const ABSENCE = 24 * 60 * 60_000

/** Trouble that the same seller meets first so often, while others meet none, is its own. */
const MANY = 3

type Done = Extract<ChangeOutcome, { kind: 'put' | 'absent' }>

export function settleChange(
  records: ChangeRecords,
  settled: SettledChange,
  moment: Moment,
): ChangeStep<SettledEnd> {
  const { outcome, name, upTo, sentAt } = settled
  const before = records.findChange(name)
  if (before === null || upTo <= before.done || before.phase === 'absent')
    return { changes: {}, answer: NOTHING }
  if (outcome.kind === 'put' || outcome.kind === 'absent') {
    const after = settle(before, { outcome, upTo }, moment)
    const latency = outcome.kind === 'put' ? Math.max(0, moment.now - before.first) : null
    return {
      changes: replaceChanges(endTrouble(records.standing, sentAt), [{ before, after }]),
      answer: { latency, isLarge: false, isAbsent: after?.phase === 'absent' },
    }
  }
  // Something was reported of this message before, or a later one is on its way.
  if (before.asked === null || upTo < before.asked.upTo) return { changes: {}, answer: NOTHING }
  const free = { ...before, asked: null, silent: 0 }
  if (outcome.kind === 'trouble') return meet(records, { before, free, outcome, sentAt }, moment)
  const after = putOff(free, outcome, moment)
  return {
    changes: replaceChanges(endTrouble(records.standing, sentAt), [{ before, after }]),
    answer: { ...NOTHING, isLarge: outcome.kind === 'large' },
  }
}

/** Settles what was noticed up to `upTo`, whatever was sent or reported since. */
function settle(
  before: Change,
  { outcome, upTo }: { readonly outcome: Done; readonly upTo: number },
  moment: Moment,
): Change | null {
  const { asked, noticed, phase } = before
  const free = { ...before, silent: 0, blamed: 0, done: upTo, setback: null }
  if (noticed <= upTo) return outcome.kind === 'put' ? null : rememberAbsent({ ...free, asked: null }, moment)
  // Only the notices since the message are left. A later message covers them, or they wait for one.
  if (asked !== null && asked.upTo > upTo)
    return { ...free, phase: phase === 'sent' ? phase : 'waiting', first: asked.fresh ?? before.first }
  const first = before.fresh ?? before.last
  const at = findQuietEnd(before, moment.settings)
  return { ...free, first, fresh: first, phase: 'waiting', at, asked: null }
}

function rememberAbsent(change: Change, { now }: Pick<Moment, 'now'>): Change {
  return { ...change, fresh: null, phase: 'absent', at: now + ABSENCE }
}

function putOff(
  change: Change,
  outcome: Exclude<ChangeOutcome, Done | { kind: 'trouble' }>,
  moment: Moment,
): Change {
  const { kind, reason } = outcome
  if (kind === 'failed') return setBack(change, { kind, reason }, moment, moment.settings.sellerRetry)
  if (kind === 'held') return setBack(change, { kind, reason }, moment, moment.settings.dispatchRetry)
  const setback = { kind, reason, attempts: 1, since: moment.now }
  return { ...change, blamed: 0, phase: 'large', at: moment.now, setback }
}

/** Tried again after a growing delay, or sooner if there are newer notices. */
function setBack(change: Change, { kind, reason }: Refused, moment: Moment, retry: Delay): Change {
  const { now, random, settings } = moment
  const known = change.setback?.kind === kind ? change.setback : null
  const attempts = (known?.attempts ?? 0) + 1
  const retryAt = now + growDelay(retry, attempts, random)
  const at = change.fresh === null ? retryAt : Math.min(retryAt, findQuietEnd(change, settings))
  return {
    ...change,
    blamed: 0,
    phase: kind,
    at,
    setback: { kind, reason, attempts, since: known?.since ?? change.first },
  }
}

interface Meeting {
  readonly before: Change
  /** Without its message. */
  readonly free: Change
  readonly outcome: Extract<ChangeOutcome, { kind: 'trouble' }>
  readonly sentAt: number
}

function meet(
  { standing }: ChangeRecords,
  { before, free, outcome, sentAt }: Meeting,
  moment: Moment,
): ChangeStep<SettledEnd> {
  const isFirst = standing.trouble === null
  const blamed = before.blamed + (isFirst ? 1 : 0)
  if (isFirst && blamed >= MANY) {
    const refused = { kind: 'failed', reason: outcome.reason } as const
    const after = setBack(free, refused, moment, moment.settings.sellerRetry)
    return { changes: replaceChanges(standing, [{ before, after }]), answer: NOTHING }
  }
  const trouble = meetTrouble(standing.trouble, outcome, { name: before.name, sentAt }, moment)
  const after = { ...endLease(free, moment.now), blamed }
  return { changes: replaceChanges({ ...standing, trouble }, [{ before, after }]), answer: NOTHING }
}
