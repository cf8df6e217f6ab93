/**
 * Handles a builder's final report: the whole build failed, or failed sellers stay pending and all others are
 * published.
 */
import { growDelay } from '../../domain/wire/backoff.ts'
import type { BuildReport, ReportAnswer } from '../../domain/wire/calls.ts'
import { createRow } from './feed-row.ts'
import type { Ledger, Lease, Moment } from './ledger.ts'
import { failBuild } from './schedule.ts'

/** Returns `null` when the lease has expired or the report belongs to another build. */
export function finishBuild(ledger: Ledger, report: BuildReport, moment: Moment): ReportAnswer | null {
  const { lease, pending, reported } = ledger.readStanding()
  // A repeated report: the builder did not receive the first answer.
  if (lease?.id !== report.lease) return reported === report.lease ? { pending } : null
  if ('error' in report) {
    failBuild(ledger, moment, report.error)
    ledger.update({ reported: lease.id })
    return { pending }
  }
  if (report.upTo !== lease.upTo) return null
  publish(ledger, { ...report, lease }, moment)
  return { pending: ledger.readStanding().pending }
}

interface Finished extends Pick<Extract<BuildReport, { upTo: number }>, 'failed' | 'photos' | 'strangers'> {
  readonly lease: Lease
}

function publish(ledger: Ledger, { lease, failed, photos, strangers }: Finished, moment: Moment): void {
  const { now } = moment
  const { id, upTo, isFull, since } = lease
  const failing = settleFailures(ledger, lease, failed, moment)
  const standing = ledger.readStanding()
  // A builder whose state is older than this full read must read in full, too, because the full read may have found
  // changes for which no notice was sent. A full read that was requested after the claim stays pending.
  const full = isFull ? Math.max(standing.full, upTo) : standing.full
  ledger.update({
    published: upTo,
    full,
    oldest: standing.unclaimed?.first ?? null,
    lease: null,
    reported: id,
    setbacks: 0,
    notBefore: 0,
    result: { at: now, time: now - since, isFull, failed: failing, error: null },
    lastFull: isFull ? now : standing.lastFull,
    photos: photos ?? standing.photos,
  })
  if (strangers !== undefined) ledger.meetStrangers(strangers, upTo)
  // Rows of absent sellers are no longer needed, because a builder whose state lacks their changes must read in full
  // anyway. A notice that is redelivered after its row was deleted is treated as new.
  ledger.forgetAbsent(Math.min(upTo, full))
}

/** Records failed and recovered sellers. Returns the number of recorded failures. */
function settleFailures(
  ledger: Ledger,
  { id, upTo }: Lease,
  failed: readonly { readonly seller: string; readonly reason: string }[],
  moment: Moment,
): number {
  const names = new Set(failed.map(({ seller }) => seller))
  // Records the recovery of a seller as a change, because other builders may still have the old page that they kept
  // when the seller failed.
  for (const row of ledger.listFailing())
    if (row.failure?.lease === id && !names.has(row.seller))
      ledger.keepRow({ ...row, failure: null, changed: Math.max(row.changed, upTo) })
  return failed.filter(({ seller, reason }) => failRow(ledger, seller, { reason, id }, moment)).length
}

/**
 * Records a seller's failure and the time of the retry. Returns false, and records nothing, if a retry of the seller is
 * already planned.
 */
function failRow(
  ledger: Ledger,
  seller: string,
  { reason, id }: { readonly reason: string; readonly id: string },
  { now, random, settings }: Moment,
): boolean {
  const known = ledger.findRow(seller)
  const before = known?.failure ?? null
  // A seller that was not part of the claim keeps its retry time.
  if (before !== null && before.lease !== id) return false
  const attempts = (before?.attempts ?? 0) + 1
  const since = before?.since ?? Math.min(known?.changed ?? now, now)
  const retryAt = now + growDelay(settings.sellerRetry, attempts, random)
  ledger.keepRow({
    ...(known ?? createRow(seller)),
    failure: { reason, attempts, since, retryAt, lease: id },
  })
  return true
}
