/** Holds publishing after a rollback until it is released. Pure. */
import type { Hold, HoldAnswer, Release } from '../../domain/wire/calls.ts'
import type { AuditEntry, Ledger, Moment, LedgerStep } from './ledger.ts'
import type { Publishing } from './publishing.ts'
import { replaceLive, settlePublishing } from './publishing.ts'

/** A repeated hold adds nothing to the audit log. */
export function holdPublishing(ledger: Ledger, hold: Hold, { now }: Moment): LedgerStep<HoldAnswer> {
  const { reason, live, by } = hold
  const { standing } = ledger
  const before = settlePublishing(standing.publishing, now)
  const held = { since: before.held?.since ?? now, reason }
  const next = live === null ? before : replaceLive(before, { ...live, at: now })
  const publishing = { ...next, held }
  const until = publishing.lease?.until ?? null
  const action = live === null ? 'held' : 'rolled-back'
  const entry: AuditEntry = { at: now, action, by, version: live?.version ?? null, reason }
  return {
    changes: { standing: { ...standing, publishing }, ...(isRepeated(before, hold) ? {} : { entry }) },
    answer: { busyUntil: until === null ? null : new Date(until).toISOString() },
  }
}

/** Releases the hold and schedules a build, since changes may have arrived during the hold. */
export function releasePublishing(ledger: Ledger, { by }: Release, { now }: Moment): LedgerStep<object> {
  const { standing } = ledger
  if (standing.publishing.held === null) return { changes: {}, answer: {} }
  const unclaimed = { first: standing.unclaimed?.first ?? now, last: now }
  const publishing = { ...standing.publishing, held: null }
  const entry: AuditEntry = { at: now, action: 'released', by, version: null, reason: null }
  return { changes: { standing: { ...standing, publishing, unclaimed, notBefore: 0 }, entry }, answer: {} }
}

function isRepeated({ held, live: before }: Publishing, { reason, live }: Hold): boolean {
  return held?.reason === reason && (live === null || live.version === before?.version)
}
