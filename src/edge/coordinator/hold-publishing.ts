/**
 * Holds publishing after a rollback or during a setup, releases the hold, and records versions that were put live
 * without a lease. Pure.
 */
import type { HoldBody, HoldAnswer, ReleaseBody, Forced } from '../../domain/wire/calls.ts'
import type { Ledger, Moment } from './ledger.ts'
import type { Publishing, Published } from './publishing.ts'
import { replaceLive, settlePublishing } from './publishing.ts'

/**
 * Holds publishing. With `live`, also records that version as live. Returns the time until which a running publish may
 * still go live; `null` if none is running. A repeated hold adds nothing to the audit log.
 */
export function holdPublishing(ledger: Ledger, hold: HoldBody, { now }: Moment): HoldAnswer {
  const { reason, live, by } = hold
  const before = settlePublishing(ledger.readStanding().publishing, now)
  const held = { since: before.held?.since ?? now, reason }
  const next = live === null ? before : replaceLive(before, { ...live, at: now })
  const publishing = { ...next, held }
  const until = publishing.lease?.until ?? null
  const action = live === null ? 'held' : 'rolled-back'
  ledger.update({ publishing })
  if (!isSameHold(before, hold))
    ledger.addEntry({ at: now, action, by, version: live?.version ?? null, reason })
  return { busyUntil: until === null ? null : new Date(until).toISOString() }
}

/** Releases the hold and schedules a build, since changes may have arrived during the hold. */
export function releasePublishing(ledger: Ledger, { by }: ReleaseBody, { now }: Moment): object {
  const standing = ledger.readStanding()
  if (standing.publishing.held === null) return {}
  const unclaimed = { first: standing.unclaimed?.first ?? now, last: now }
  const publishing = { ...standing.publishing, held: null }
  ledger.update({ publishing, unclaimed, notBefore: 0 })
  ledger.addEntry({ at: now, action: 'released', by, version: null, reason: null })
  return {}
}

function isSameHold({ held, live: before }: Publishing, { reason, live }: HoldBody): boolean {
  return held?.reason === reason && (live === null || live.version === before?.version)
}

/**
 * Records a version that was put live without a lease. A hold stays in force. A build follows, since the version may
 * lack published changes. A report that repeats the last entry of the log is not logged again.
 */
export function recordForced(ledger: Ledger, forced: Forced, { now }: Moment): object {
  const { version, sequence, reason, by, at } = forced
  const standing = ledger.readStanding()
  const before = settlePublishing(standing.publishing, now)
  const time = at === null ? now : Math.min(now, Date.parse(at))
  const [last] = ledger.listLog()
  const isRepeated = last?.action === 'forced' && last.version === version && last.reason === reason
  const publishing = putLive(before, { version, sequence, at: time })
  const unclaimed = { first: standing.unclaimed?.first ?? now, last: now }
  ledger.update({ publishing, unclaimed })
  if (!isRepeated) ledger.addEntry({ at: time, action: 'forced', by, version, reason })
  return {}
}

/**
 * Returns the state with the forced version as live, unless another one went live after it. A version that may have
 * gone live after the forced one stays doubtful, so that no older version can replace it.
 */
function putLive(before: Publishing, forced: Published): Publishing {
  const { live, doubtful } = before
  const isReplaced = live !== null && live.version !== forced.version && live.at > forced.at
  if (isReplaced) return forced.sequence > live.sequence ? { ...before, doubtful: forced } : before
  const next = replaceLive(before, forced)
  const isLater = doubtful !== null && doubtful.version !== forced.version && doubtful.at > forced.at
  return isLater && next.doubtful === null ? { ...next, doubtful } : next
}
