/**
 * Ends, moves or shortens the wait of changes after an event: a permission of removals, a builder's report, a changed
 * setting.
 */
import { leaveToBuilder } from '../accept-notice.ts'
import { endWaiting, isOpen, OPEN, UNSENT, waitsForBuilder } from '../feed-row.ts'
import type { FeedRow } from '../feed-row.ts'
import type { Ledger, Moment } from '../ledger.ts'
import { forgetRefused } from '../objects/permit-removals.ts'
import { noticeChanges } from './notice-changes.ts'
import { forgetTrouble } from './trouble.ts'

/** A builder's final report: it covers all notices up to `upTo`. */
interface Delivered {
  readonly upTo: number
  readonly isFull: boolean
  readonly failed: readonly string[]
}

/** Moves the retries of refused removals to now, because a person permitted the removals. */
export function retryHeld(ledger: Ledger, _: null, { now }: Moment): void {
  for (const row of ledger.eachOfPhase('held')) if (row.at > now) ledger.keepRow({ ...row, at: now })
  // A builder was refused the others. A page that failed for another reason keeps its delay.
  for (const row of ledger.eachOfPhase('broken')) {
    const isPermitted = (ledger.findObject(row.seller)?.removal?.until ?? 0) > now
    if (isPermitted && row.at > now) ledger.keepRow({ ...row, at: now })
  }
}

/**
 * Ends the wait of large sellers that the builder's report covers. After a full read, also ends the wait of unsent
 * changes for the Worker that it covers, except those of failed sellers, and forgets refused removals that it did not
 * meet again. Other builds may not have read the sellers of these changes.
 */
export function forgetDelivered(ledger: Ledger, { upTo, isFull, failed }: Delivered, { now }: Moment): void {
  for (const row of ledger.listPhase('large')) if (row.changed <= upTo) ledger.keepRow(endWaiting(row))
  if (!isFull) return
  const names = new Set(failed)
  for (const row of readUnsent(ledger))
    if (row.changed <= upTo && isOpen(row) && !names.has(row.seller))
      ledger.keepRow({ ...endWaiting(row), done: row.changed })
  forgetTrouble(ledger)
  forgetRefused(ledger, now, (seller) => {
    const row = ledger.findRow(seller)
    return names.has(seller) || (row !== null && (row.changed > upTo || isOpen(row)))
  })
}

function* readUnsent(ledger: Ledger): Generator<FeedRow> {
  for (const seller of ledger.outbox.keys()) {
    const row = ledger.findRow(seller)
    if (row !== null) yield row
  }
  for (const phase of UNSENT) yield* ledger.eachOfPhase(phase)
}

/** Max rows deleted at a time. The next alarm, which is due at once, deletes more. */
const MAX_FORGOTTEN = 1_000

/** Deletes the rows of absent sellers whose time `at` has passed. */
export function forgetAbsent(ledger: Ledger, { now }: Moment): void {
  const rows = ledger.listPhase('absent', { until: now, limit: MAX_FORGOTTEN })
  for (const { seller } of rows) ledger.forgetRow(seller)
}

/**
 * Adapts to a change of `DISPATCH`. If `isQueue`, hands the changes that wait for a builder to the Worker; otherwise
 * hands the open changes of the Worker to a builder.
 */
export function switchQueue(ledger: Ledger, isQueue: boolean, moment: Moment): void {
  const standing = ledger.readStanding()
  if (standing.isQueue === isQueue) return
  ledger.update({ isQueue })
  if (isQueue) return noticeChanges(ledger, listForBuilder(ledger, standing.published), moment)
  // The change of a large seller is already recorded for a builder, so only the phase ends.
  for (const row of ledger.listPhase('large')) ledger.keepRow(endWaiting(row))
  const open = OPEN.flatMap((phase) => Array.from(ledger.eachOfPhase(phase), ({ seller }) => seller))
  leaveToBuilder(ledger, open, moment)
  ledger.update({ trouble: null })
}

function listForBuilder(ledger: Ledger, published: number): readonly string[] {
  const changed = ledger.listChanged(published).filter((seller) => {
    const row = ledger.findRow(seller)
    return row !== null && waitsForBuilder(row, published)
  })
  return [...new Set([...changed, ...ledger.listPhase('broken').map(({ seller }) => seller)])]
}
