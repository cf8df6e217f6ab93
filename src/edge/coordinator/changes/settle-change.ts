/** Records how the message of a change ended. Only its own lease counts, and only what it covers is answered. Pure. */
import { growDelay } from '../../../domain/wire/backoff.ts'
import type { Delay } from '../../../domain/wire/backoff.ts'
import type { ChangeOutcome, SettledChange } from '../change-ledger.ts'
import type { Moment } from '../ledger.ts'
import type { Change, ChangeLease, ChangeRecords, ChangeStep } from './change-records.ts'
import { findQuietEnd } from './notice-changes.ts'
import { replaceChanges } from './replace-changes.ts'
import { takeBack } from './send-changes.ts'
import { endTrouble, meetTrouble } from './trouble.ts'

/** What follows for others. */
export interface ChangeEnd {
  /** From the first notice to the put; `null` if nothing was put. */
  readonly latency: number | null
  /** It is left to a builder. */
  readonly isLarge: boolean
  /** The seller does not exist. */
  readonly isAbsent: boolean
}

type Refused = Extract<ChangeOutcome, { kind: 'failed' | 'held' }>

const NOTHING: ChangeEnd = { latency: null, isLarge: false, isAbsent: false }

/** How long an absent seller is remembered, in milliseconds: longer than any writer takes from its read to its put. */
const ABSENCE = 24 * 60 * 60_000

/** Trouble that the same seller meets first so often, while others meet none, is its own. */
const MANY = 3

export function settleChange(
  records: ChangeRecords,
  settled: SettledChange,
  moment: Moment,
): ChangeStep<ChangeEnd> {
  const before = records.findChange(settled.name)
  const lease = before?.lease ?? null
  if (before === null || lease?.id !== settled.lease) return { changes: {}, answer: NOTHING }
  const { outcome } = settled
  if (outcome.kind === 'trouble') return meet(records, before, { lease, outcome }, moment)
  const standing = endTrouble(records.standing, lease.sentAt)
  const after = end(before, { lease, outcome }, moment)
  const latency = outcome.kind === 'put' ? Math.max(0, moment.now - before.first) : null
  return {
    changes: replaceChanges(standing, [{ before, after }]),
    answer: { latency, isLarge: outcome.kind === 'large', isAbsent: after?.phase === 'absent' },
  }
}

function end(
  before: Change,
  {
    lease,
    outcome,
  }: { readonly lease: ChangeLease; readonly outcome: Exclude<ChangeOutcome, { kind: 'trouble' }> },
  moment: Moment,
): Change | null {
  const free = { ...before, lease: null, silent: 0 }
  if (outcome.kind === 'failed') return setBack(free, outcome, moment, moment.settings.sellerRetry)
  if (outcome.kind === 'held') return setBack(free, outcome, moment, moment.settings.dispatchRetry)
  if (outcome.kind === 'large') {
    const setback = { kind: outcome.kind, reason: outcome.reason, attempts: 1, since: moment.now }
    return { ...free, blamed: 0, phase: 'large', at: moment.now, setback }
  }
  if (before.noticed <= lease.upTo) return outcome.kind === 'put' ? null : rememberAbsent(free, moment)
  // Only the notices since the message are left.
  const first = before.fresh ?? before.last
  const at = findQuietEnd(before, moment.settings)
  return { ...free, blamed: 0, first, fresh: first, phase: 'waiting', at, setback: null }
}

function rememberAbsent(change: Change, { now }: Pick<Moment, 'now'>): Change {
  return { ...change, blamed: 0, fresh: null, phase: 'absent', at: now + ABSENCE, setback: null }
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

function meet(
  { standing }: ChangeRecords,
  before: Change,
  {
    lease,
    outcome,
  }: { readonly lease: ChangeLease; readonly outcome: Extract<ChangeOutcome, { kind: 'trouble' }> },
  moment: Moment,
): ChangeStep<ChangeEnd> {
  const isFirst = standing.trouble === null
  const blamed = before.blamed + (isFirst ? 1 : 0)
  if (isFirst && blamed >= MANY) {
    const refused = { kind: 'failed', reason: outcome.reason } as const
    const after = setBack({ ...before, lease: null, silent: 0 }, refused, moment, moment.settings.sellerRetry)
    return { changes: replaceChanges(standing, [{ before, after }]), answer: NOTHING }
  }
  const trouble = meetTrouble(standing.trouble, outcome, { name: before.name, sentAt: lease.sentAt }, moment)
  const after = { ...takeBack(before, moment.now), silent: 0, blamed }
  return { changes: replaceChanges({ ...standing, trouble }, [{ before, after }]), answer: NOTHING }
}
