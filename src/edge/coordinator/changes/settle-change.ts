/** Records the reported outcome of a change's message. Settles only the notices that the message covers. */
import { growDelay } from '../../../domain/wire/backoff.ts'
import type { Delay } from '../../../domain/wire/backoff.ts'
import { leaveToBuilder, noticeSellers } from '../accept-notice.ts'
import type { ChangeOutcome, SettledChange } from '../change-ledger.ts'
import type { FeedRow } from '../feed-row.ts'
import { endLease, endWaiting, isOpen } from '../feed-row.ts'
import type { Ledger, Moment } from '../ledger.ts'
import { forgetMissing, noteLatency } from '../objects/settle-objects.ts'
import { findQuietEnd } from './notice-changes.ts'
import { endTrouble, forgetTrouble, meetTrouble } from './trouble.ts'

type Refused = Extract<ChangeOutcome, { kind: 'failed' | 'held' }>
type Done = Extract<ChangeOutcome, { kind: 'put' | 'absent' }>

/** How long an absent seller is remembered, in milliseconds: longer than any writer takes from its read to its put. */
const ABSENCE = 24 * 60 * 60_000

/**
 * If a seller's messages are the first to meet trouble this many times in a row, the seller is probably the cause. The
 * outcome then counts as a failure of only this seller, and does not stop other changes.
 */
const MANY = 3

export function settleChanges(ledger: Ledger, settled: readonly SettledChange[], moment: Moment): void {
  for (const one of settled) settleChange(ledger, one, moment)
  forgetTrouble(ledger)
}

function settleChange(ledger: Ledger, { outcome, name, upTo, sentAt }: SettledChange, moment: Moment): void {
  const before = ledger.findRow(name)
  if (before === null || !isOpen(before) || upTo <= before.done) return
  if (outcome.kind === 'put' || outcome.kind === 'absent') {
    const after = settle(before, { outcome, upTo }, moment)
    ledger.keepRow(after)
    if (outcome.kind === 'put') noteLatency(ledger, moment.now - before.first)
    endTrouble(ledger, sentAt)
    if (after.phase === 'absent') lookAgain(ledger, name, moment)
    return
  }
  // Ignores the outcome: an earlier report covers this message, or a later message is on its way.
  if (before.asked === null || upTo < before.asked.upTo) return
  const free = { ...before, asked: null, silent: 0 }
  if (outcome.kind === 'trouble') return meet(ledger, { free, outcome, sentAt }, moment)
  ledger.keepRow(putOff(free, outcome, moment))
  endTrouble(ledger, sentAt)
  if (outcome.kind === 'large') leaveToBuilder(ledger, [name], moment)
}

/**
 * Handles a seller for which the consumer saw no object although the ledger has one: another writer has put it since,
 * or a person deleted it. The ledger forgets the object, and the seller is read again.
 */
function lookAgain(ledger: Ledger, seller: string, moment: Moment): void {
  const known = ledger.findObject(seller)
  if (known === null || known.sellers === 0) return
  forgetMissing(ledger, [known])
  noticeSellers(ledger, [seller], moment)
}

/** Returns the row with all notices up to `upTo` settled, even if a later message was sent or has failed. */
function settle(
  before: FeedRow,
  { outcome, upTo }: { readonly outcome: Done; readonly upTo: number },
  moment: Moment,
): FeedRow {
  const { asked, changed, phase } = before
  const { now } = moment
  if (changed <= upTo) {
    const shown = outcome.kind === 'put' ? now : null
    const done = { ...endWaiting(before), done: upTo, shown }
    return outcome.kind === 'put' ? done : { ...done, phase: 'absent', at: now + ABSENCE }
  }
  const free = { ...before, silent: 0, blamed: 0, done: upTo, setback: null }
  // Keeps only notices that arrived after the message was sent. They are covered by a later message, or wait for one.
  if (asked !== null && asked.upTo > upTo)
    return { ...free, phase: phase === 'sent' ? phase : 'waiting', first: asked.fresh ?? before.first }
  const first = before.fresh ?? before.last
  const at = findQuietEnd(before, moment.settings)
  return { ...free, first, fresh: first, phase: 'waiting', at, asked: null }
}

function putOff(
  row: FeedRow,
  outcome: Exclude<ChangeOutcome, Done | { kind: 'trouble' }>,
  moment: Moment,
): FeedRow {
  const { kind, reason } = outcome
  if (kind === 'failed') return setBack(row, { kind, reason }, moment, moment.settings.sellerRetry)
  if (kind === 'held') return setBack(row, { kind, reason }, moment, moment.settings.dispatchRetry)
  const setback = { kind, reason, attempts: 1, since: moment.now }
  return { ...row, blamed: 0, phase: 'large', at: moment.now, setback }
}

/**
 * Returns the row with this failure and the time of its retry: after a growing delay, or sooner if there are newer
 * notices.
 */
function setBack(row: FeedRow, { kind, reason }: Refused, moment: Moment, retry: Delay): FeedRow {
  const { now, random, settings } = moment
  const known = row.setback?.kind === kind ? row.setback : null
  const attempts = (known?.attempts ?? 0) + 1
  const retryAt = now + growDelay(retry, attempts, random)
  const at = row.fresh === null ? retryAt : Math.min(retryAt, findQuietEnd(row, settings))
  return {
    ...row,
    blamed: 0,
    phase: kind,
    at,
    setback: { kind, reason, attempts, since: known?.since ?? row.first },
  }
}

interface Meeting {
  /** The row without its message, because the message has been answered. */
  readonly free: FeedRow
  readonly outcome: Extract<ChangeOutcome, { kind: 'trouble' }>
  readonly sentAt: number
}

function meet(ledger: Ledger, { free, outcome, sentAt }: Meeting, moment: Moment): void {
  const { trouble } = ledger.readStanding()
  const isFirst = trouble === null
  const blamed = free.blamed + (isFirst ? 1 : 0)
  if (isFirst && blamed >= MANY) {
    const refused = { kind: 'failed', reason: outcome.reason } as const
    return ledger.keepRow(setBack(free, refused, moment, moment.settings.sellerRetry))
  }
  ledger.update({ trouble: meetTrouble(trouble, outcome, { name: free.seller, sentAt }, moment) })
  ledger.keepRow({ ...endLease(free, moment.now), blamed })
}
