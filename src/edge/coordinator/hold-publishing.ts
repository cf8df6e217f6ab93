/** Holds publishing after a rollback until it is released. Pure. */
import type { Hold, HoldAnswer } from '../../domain/wire/calls.ts'
import type { Ledger, Moment, LedgerStep } from './ledger.ts'
import { settlePublishing } from './publishing.ts'

export function holdPublishing(
  ledger: Ledger,
  { reason, live }: Hold,
  { now }: Moment,
): LedgerStep<HoldAnswer> {
  const { standing } = ledger
  const before = settlePublishing(standing.publishing, now)
  const held = { since: before.held?.since ?? now, reason }
  const publishing =
    live === null
      ? { ...before, held }
      : { ...before, live: { ...live, at: now }, doubtful: null, lease: null, held }
  const until = publishing.lease?.until ?? null
  return {
    changes: { standing: { ...standing, publishing } },
    answer: { busyUntil: until === null ? null : new Date(until).toISOString() },
  }
}

/** Releases the hold and schedules a build, since changes may have arrived during the hold. */
export function releasePublishing(ledger: Ledger, _: object, { now }: Moment): LedgerStep<object> {
  const { standing } = ledger
  if (standing.publishing.held === null) return { changes: {}, answer: {} }
  const unclaimed = { first: standing.unclaimed?.first ?? now, last: now }
  const publishing = { ...standing.publishing, held: null }
  return { changes: { standing: { ...standing, publishing, unclaimed, notBefore: 0 } }, answer: {} }
}
