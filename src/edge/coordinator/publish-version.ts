/**
 * Grants and ends publish leases: for one version at a time, and for no version that is older than the live one. Pure.
 */
import type { PublishCall, PublishAnswer, PublishEnd } from '../../domain/wire/calls.ts'
import type { Ledger, Moment } from './ledger.ts'
import type { Publishing, PublishLease } from './publishing.ts'
import { findNewest, settlePublishing } from './publishing.ts'

export function beginPublish(ledger: Ledger, call: PublishCall, { now, settings }: Moment): PublishAnswer {
  const publishing = settlePublishing(ledger.readStanding().publishing, now)
  const refusal = findRefusal(publishing, call)
  const { version, sequence, by, newLease } = call
  const lease = { id: newLease, version, sequence, until: now + settings.publishLease, by }
  ledger.update({ publishing: refusal === null ? { ...publishing, lease } : publishing })
  return refusal ?? { lease: newLease, lasts: settings.publishLease }
}

/** Returns `null` if the lease has expired, or was replaced or overruled: another version may be live by now. */
export function endPublish(
  ledger: Ledger,
  { lease: id, isLive, by }: PublishEnd,
  { now }: Moment,
): object | null {
  const publishing = settlePublishing(ledger.readStanding().publishing, now)
  const { lease, ended } = publishing
  if (lease?.id !== id) {
    ledger.update({ publishing })
    return ended === id ? {} : null
  }
  ledger.update({ publishing: closeLease(publishing, lease, isLive, now) })
  if (isLive !== false)
    ledger.addEntry({
      at: now,
      action: 'published',
      by: by ?? lease.by,
      version: lease.version,
      reason: isLive === null ? 'the publisher does not know whether the version is live' : null,
    })
  return lease.isOverruled === true ? null : {}
}

function closeLease(
  publishing: Publishing,
  { id, version, sequence, isOverruled }: PublishLease,
  isLive: boolean | null,
  now: number,
): Publishing {
  const published = { version, sequence, at: now }
  // Another version was put live without a lease meanwhile, and it is unknown which of the two took effect last. So the
  // version of this publish may be live: it becomes doubtful, unless the publisher reports that it is not live.
  if (isOverruled === true)
    return { ...publishing, lease: null, doubtful: isLive === false ? publishing.doubtful : published }
  const closed = { ...publishing, lease: null, ended: id }
  if (isLive === null) return { ...closed, doubtful: published }
  return isLive ? { ...closed, doubtful: null, live: published } : closed
}

function findRefusal(
  publishing: Publishing,
  { version, sequence, base }: PublishCall,
): Exclude<PublishAnswer, { lease: string }> | null {
  const { held, lease } = publishing
  if (held !== null) return { refused: 'held', reason: held.reason }
  if (lease !== null && lease.version !== version)
    return { refused: 'busy', reason: `version ${lease.version} is being put live` }
  const newest = findNewest(publishing)
  const isNewer = newest === null || sequence > newest.sequence
  // A version built from the same sequence is permitted if it follows the newest version (`base`), or is the newest
  // version itself, as in a retry of a publish whose outcome is unknown.
  const isNext = newest !== null && sequence === newest.sequence && [base, version].includes(newest.version)
  return isNewer || isNext
    ? null
    : {
        refused: 'older',
        reason: `version ${newest.version}, built from sequence ${newest.sequence}, is live or may be live`,
      }
}
