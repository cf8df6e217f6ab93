/** Takes notices of sellers that the Worker renders itself. */
import type { FeedRow } from '../feed-row.ts'
import { changeRow, createRow, isOpen, waitsForBuilder } from '../feed-row.ts'
import type { Ledger, Moment } from '../ledger.ts'
import { createSequence, NO_DISPATCH } from '../ledger.ts'
import { findWait } from './seller-pace.ts'

/**
 * `sellers` are distinct. Without `paces`, the changes of the last hour, those that wait do so as long as they did. A builder
 * shows none of them any more, but a state that is older than they are is still given them.
 */
export function noticeChanges(
  ledger: Ledger,
  sellers: readonly string[],
  moment: Moment,
  paces?: ReadonlyMap<string, number>,
): void {
  if (sellers.length === 0) return
  const { last, published } = ledger.readStanding()
  const sequence = createSequence(last, moment.now)
  let isMoved = false
  for (const seller of sellers) {
    const row = ledger.findRow(seller) ?? createRow(seller)
    isMoved ||= waitsForBuilder(row, published)
    ledger.keepRow(noticeRow(row, { sequence, pace: paces?.get(seller) }, moment))
  }
  if (isMoved) restBuilder(ledger)
}

/** No builder is started when nothing waits for one. */
function restBuilder(ledger: Ledger): void {
  const { pending, full, published, lease } = ledger.readStanding()
  if (pending > 0 || full > published || lease !== null) return
  ledger.update({ oldest: null, unclaimed: null, notBefore: 0, dispatch: NO_DISPATCH })
}

/** When the message of an unsent change is due: once its seller has been quiet, but not too late. */
export function findQuietEnd(
  { fresh, last, quiet: own }: Pick<FeedRow, 'fresh' | 'last' | 'quiet'>,
  { quiet, longestWait }: Moment['settings'],
): number {
  const wait = Math.max(quiet, own)
  return Math.min(last + wait, (fresh ?? last) + Math.max(longestWait, wait))
}

/** During a lease a notice waits for its end. One that is to be tried again is not tried later than without the notice. */
function noticeRow(
  known: FeedRow,
  { sequence, pace }: { readonly sequence: number; readonly pace: number | undefined },
  { now, settings }: Moment,
): FeedRow {
  const before = isOpen(known) || known.phase === 'large' ? known : startRow(known, sequence, now)
  const quiet = pace === undefined ? before.quiet : findWait(pace, settings)
  const changed = changeRow(before, sequence, pace)
  const row: FeedRow = { ...changed, last: now, fresh: before.fresh ?? now, quiet }
  const quietEnd = findQuietEnd(row, settings)
  if (before.phase === 'large') return { ...row, phase: 'waiting', setback: null, at: quietEnd }
  if (before.phase === 'sent') return row
  const isFirst = before.fresh === before.first && before.setback === null
  return { ...row, at: isFirst ? quietEnd : Math.min(before.at, quietEnd) }
}

/** Nothing of it waits yet: what was sent before answers nothing of it. */
function startRow(row: FeedRow, sequence: number, now: number): FeedRow {
  const { seller, changed, recent } = row
  const free = { ...createRow(seller), changed, recent, done: sequence - 1 }
  return { ...free, phase: 'waiting', at: now, first: now, fresh: now }
}
