/** Records notices of sellers whose changes the Worker itself renders. */
import type { FeedRow, KnownNotice } from '../feed-row.ts'
import { changeRow, createRow, isOpen, waitsForBuilder } from '../feed-row.ts'
import type { Ledger, Moment } from '../ledger.ts'
import { createSequence, NO_DISPATCH } from '../ledger.ts'
import { giveLease, MAX_SENT } from './message-lease.ts'
import { findWait } from './seller-pace.ts'

/**
 * Max delay, in milliseconds, of a message that is in memory only. The runtime keeps an idle Durable Object in memory
 * for this long.
 */
const LONGEST_MEMORY = 10_000

/**
 * A seller's weighted count of changes in the last hour, from `paceSeller`, and the notices that her row keeps to
 * recognize redeliveries.
 */
export interface Arrival {
  readonly pace: number
  readonly notices: readonly KnownNotice[]
}

/**
 * Records a change of each seller, and starts or extends the wait for further notices. The first message of a change
 * may go to the outbox in memory, if it is due soon. `sellers` are distinct. Without `arrivals`, the length of each
 * wait stays as it was. Builders do not publish these changes, but a builder with an older state still receives them at
 * its claim.
 */
export function noticeChanges(
  ledger: Ledger,
  sellers: readonly string[],
  moment: Moment,
  arrivals?: ReadonlyMap<string, Arrival>,
): void {
  if (sellers.length === 0) return
  const { last, published, sent, trouble } = ledger.readStanding()
  const sequence = createSequence(last, moment.now)
  let isMoved = false
  let room = trouble === null ? MAX_SENT - sent : 0
  for (const seller of sellers) {
    const known = ledger.findRow(seller) ?? createRow(seller)
    isMoved ||= waitsForBuilder(known, published)
    const row = noticeRow(endUnsent(ledger, known), { sequence, arrival: arrivals?.get(seller) }, moment)
    const isPrompt = room > 0 && isFirst(row) && row.at - moment.now <= LONGEST_MEMORY
    if (isPrompt) room -= 1
    if (isPrompt) ledger.outbox.set(seller, row.at)
    ledger.keepRow(isPrompt ? giveLease(row, { ...moment, now: row.at }) : row)
  }
  if (isMoved) restBuilder(ledger)
}

/** Returns whether the change waits for its first message. */
function isFirst({ phase, asked, setback }: FeedRow): boolean {
  return phase === 'waiting' && asked === null && setback === null
}

/**
 * If the seller's message is still in the outbox, takes it back and ends its lease: the change waits again, and one
 * later message covers this notice too.
 */
function endUnsent({ outbox }: Ledger, row: FeedRow): FeedRow {
  if (!outbox.delete(row.seller) || row.phase !== 'sent' || row.asked === null) return row
  return { ...row, phase: 'waiting', fresh: row.asked.fresh, asked: null }
}

/** Drops the planned start of a builder if nothing waits for a builder and no build runs. */
function restBuilder(ledger: Ledger): void {
  const { pending, full, published, lease } = ledger.readStanding()
  if (pending > 0 || full > published || lease !== null) return
  ledger.update({ oldest: null, unclaimed: null, notBefore: 0, dispatch: NO_DISPATCH })
}

/**
 * Returns when a message is due: once its seller has been quiet long enough, but at the latest after `longestWait`, or
 * after the seller's own wait if that is longer.
 */
export function findQuietEnd(
  { fresh, last, quiet: own }: Pick<FeedRow, 'fresh' | 'last' | 'quiet'>,
  { quiet, longestWait }: Moment['settings'],
): number {
  const wait = Math.max(quiet, own)
  return Math.min(last + wait, (fresh ?? last) + Math.max(longestWait, wait))
}

/**
 * Returns the row after this notice. During a lease, `at` does not change, because the sent message may still cover the
 * notice. A notice never delays a retry.
 */
function noticeRow(
  known: FeedRow,
  { sequence, arrival }: { readonly sequence: number; readonly arrival: Arrival | undefined },
  { now, settings }: Moment,
): FeedRow {
  const before = isOpen(known) || known.phase === 'large' ? known : startRow(known, sequence, now)
  const quiet = arrival === undefined ? before.quiet : findWait(arrival.pace, settings)
  const { notices } = arrival ?? before
  const changed = changeRow(before, sequence, arrival?.pace)
  const row: FeedRow = { ...changed, last: now, fresh: before.fresh ?? now, quiet, notices }
  const quietEnd = findQuietEnd(row, settings)
  if (before.phase === 'large') return { ...row, phase: 'waiting', setback: null, at: quietEnd }
  if (before.phase === 'sent') return row
  const isNew = before.fresh === before.first && before.setback === null
  return { ...row, at: isNew ? quietEnd : Math.min(before.at, quietEnd) }
}

/**
 * Returns the row at the beginning of a new wait. Sets `done` just before this notice, so that late reports on earlier
 * messages, which do not cover this notice, are ignored.
 */
function startRow(row: FeedRow, sequence: number, now: number): FeedRow {
  const { seller, changed, recent, notices } = row
  const free = { ...createRow(seller), changed, recent, notices, done: sequence - 1 }
  return { ...free, phase: 'waiting', at: now, first: now, fresh: now }
}
