/** Accepts a notice. A redelivery that is recognized (see `addNotice`) changes nothing. */
import type { NoticeAnswer } from '../../domain/wire/calls.ts'
import type { CatalogueNotice } from '../../domain/wire/notice.ts'
import type { Arrival } from './changes/notice-changes.ts'
import { noticeChanges } from './changes/notice-changes.ts'
import { findWait, paceSeller } from './changes/seller-pace.ts'
import type { KnownNotice } from './feed-row.ts'
import { addNotice, changeRow, createRow, endWaiting } from './feed-row.ts'
import type { Ledger, Moment, Standing, Unclaimed } from './ledger.ts'
import { createSequence } from './ledger.ts'

/** Max pause between a failed build and the build of a later change, in milliseconds. */
const LONGEST_PAUSE = 5 * 60_000

export function acceptNotice(ledger: Ledger, notice: CatalogueNotice, moment: Moment): NoticeAnswer {
  const { id, sellers, isFull, ignored } = notice
  const left = ignored === undefined ? {} : { ignored }
  const known = addNotice(listKnown(ledger, notice), id, moment.now)
  if (known === null) return { accepted: 0, pending: countWaiting(ledger), ...left }
  if (!admitStrangers(ledger, notice, moment))
    return { accepted: 0, pending: countWaiting(ledger), isTooMuch: true }
  if (isFull) askForFull(ledger, moment)
  if (sellers.length === 0) ledger.update({ requests: known })
  const waits = sellers.length === 0 ? [] : takeSellers(ledger, { sellers, known }, moment)
  // If all sellers of the notice change often, their build is due only after the shortest of their waits, so that the
  // notice does not advance a build for other sellers.
  const wait = Math.min(...waits)
  const isOften = !isFull && wait > moment.settings.quiet
  const isLeft = sellers.length > 0 && !ledger.readStanding().isQueue
  if (isLeft) wakeBuilder(ledger, moment, isOften ? { due: moment.now + wait } : {})
  return { accepted: sellers.length + (isFull ? 1 : 0), pending: countWaiting(ledger), ...left }
}

/**
 * Returns the known notices that this notice may repeat. A notice is stored in the row of its first seller, because
 * that row is written anyway. A notice without sellers, such as a request for a full read, is stored in the standing.
 */
function listKnown(ledger: Ledger, { sellers: [first] }: CatalogueNotice): readonly KnownNotice[] {
  return first === undefined ? ledger.readStanding().requests : (ledger.findRow(first)?.notices ?? [])
}

export function countWaiting(ledger: Ledger): number {
  const { pending, waiting } = ledger.readStanding()
  return pending + waiting
}

/** Records a request for a full read, which only a builder can do. */
function askForFull(ledger: Ledger, moment: Moment): void {
  const last = createSequence(ledger.readStanding().last, moment.now)
  ledger.update({ last, full: last })
  wakeBuilder(ledger, moment, { isFull: true })
}

/**
 * Records the changes. Returns how long each seller waits for further notices, in milliseconds. `known`: the notices to
 * store in the row of the first seller.
 */
function takeSellers(
  ledger: Ledger,
  { sellers, known }: { readonly sellers: readonly string[]; readonly known: readonly KnownNotice[] },
  moment: Moment,
): readonly number[] {
  const { last, isQueue } = ledger.readStanding()
  const arrivals = new Map(
    sellers.map((seller, index) => {
      const row = ledger.findRow(seller)
      const notices = index === 0 ? known : (row?.notices ?? [])
      return [seller, { pace: paceSeller(row, moment), notices, now: moment.now }] as const
    }),
  )
  if (isQueue) noticeChanges(ledger, sellers, moment, arrivals)
  else {
    const sequence = createSequence(last, moment.now)
    for (const [seller, arrival] of arrivals) leaveRow(ledger, seller, sequence, arrival)
  }
  return [...arrivals.values()].map(({ pace }) => findWait(pace, moment.settings))
}

/**
 * Records a change of this seller for a builder. If the page failed at a builder, or is too large for the Worker, the
 * row keeps its phase. `arrival` is absent if the change does not come from a notice.
 */
function leaveRow(
  ledger: Ledger,
  seller: string,
  sequence: number,
  arrival?: Arrival & { now: number },
): void {
  const known = ledger.findRow(seller)
  const before = known ?? createRow(seller)
  const isKept = before.phase === 'broken' || before.phase === 'large'
  const row = changeRow(isKept ? before : endWaiting(before), sequence, arrival?.pace)
  ledger.keepRow(arrival === undefined ? row : { ...row, last: arrival.now, notices: arrival.notices })
  if (known === null) ledger.addStranger(seller)
}

/**
 * Records changes of these sellers, as if a notice had named them. They go to a builder if the Worker no longer renders
 * changes, because a queue consumer may still call this function after the switch to builders.
 */
export function noticeSellers(ledger: Ledger, sellers: readonly string[], moment: Moment): void {
  if (ledger.readStanding().isQueue) noticeChanges(ledger, sellers, moment)
  else leaveToBuilder(ledger, sellers, moment)
}

/** Records changes of these sellers for a builder, and schedules its build. */
export function leaveToBuilder(ledger: Ledger, sellers: readonly string[], moment: Moment): void {
  if (sellers.length === 0) return
  const sequence = createSequence(ledger.readStanding().last, moment.now)
  for (const seller of sellers) leaveRow(ledger, seller, sequence)
  wakeBuilder(ledger, moment, {})
}

/**
 * Records that changes wait for a builder. `due`: when their build is due; set only if all their sellers change often.
 */
function wakeBuilder(
  ledger: Ledger,
  { now }: Moment,
  { due, isFull = false }: { readonly due?: number; readonly isFull?: boolean },
): void {
  const standing = ledger.readStanding()
  ledger.update({
    oldest: standing.oldest ?? now,
    unclaimed: addUnclaimed(standing.unclaimed, due, now),
    ...shortenPause(standing, isFull, now),
  })
}

/**
 * Returns the unclaimed changes with one more arrival. `due` is set if that arrival names only sellers who change
 * often: it then neither advances nor delays the build for other sellers.
 */
function addUnclaimed(known: Unclaimed | null, due: number | undefined, now: number): Unclaimed {
  if (due === undefined) return { first: known?.first ?? now, last: now }
  if (known === null) return { first: now, last: now, due }
  return known.due === undefined ? known : { ...known, due: Math.min(known.due, due) }
}

/**
 * Returns the pause before the next build. A request for a full read ends the pause. A change only shortens the pause
 * after a failed build to `LONGEST_PAUSE`, because changes keep arriving even while every build fails.
 */
function shortenPause(
  { notBefore, dispatch, result }: Standing,
  isFull: boolean,
  now: number,
): Pick<Standing, 'notBefore' | 'dispatch'> {
  if (isFull) return { notBefore: Math.min(notBefore, now), dispatch: { ...dispatch, unanswered: 0 } }
  // Keeps the pause between two tries of a dispatch: the pause is short, or was requested by the target.
  if (dispatch.build !== null) return { notBefore, dispatch }
  return { notBefore: Math.min(notBefore, (result?.at ?? 0) + LONGEST_PAUSE), dispatch }
}

/**
 * Max sellers per minute that no earlier notice has named, in notices without a builder's secret. Each costs database
 * rows and a read of the source, even if the seller does not exist. The notice that exceeds the limit is still
 * accepted.
 */
export const MOST_STRANGERS = 600

const MINUTE = 60_000

/**
 * Returns false if the notice names new sellers although notices have already named too many in this minute. A notice
 * that is signed with a builder's secret is always admitted.
 */
function admitStrangers(
  ledger: Ledger,
  { sellers, isBounded = false }: CatalogueNotice,
  { now }: Moment,
): boolean {
  const added = isBounded ? sellers.filter((seller) => ledger.findRow(seller) === null).length : 0
  if (added === 0) return true
  const known = ledger.readStanding().strangers
  const strangers = Math.abs(now - known.since) >= MINUTE ? { since: now, sellers: 0 } : known
  if (strangers.sellers >= MOST_STRANGERS) return false
  ledger.update({ strangers: { ...strangers, sellers: strangers.sellers + added } })
  return true
}
