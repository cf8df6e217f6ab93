/** Accepts a notice. A redelivery that is recognized (see `addNotice`) changes nothing. */
import type { NoticeAnswer } from '../../domain/wire/calls.ts'
import type { CatalogueNotice } from '../../domain/wire/notice.ts'
import type { KnownNotice } from './feed-row.ts'
import { addNotice, createRow } from './feed-row.ts'
import type { Ledger, Moment, Standing } from './ledger.ts'
import { createSequence } from './ledger.ts'

/** Max pause between a failed build and the build of a later change, in milliseconds. */
const LONGEST_PAUSE = 5 * 60_000

export function acceptNotice(ledger: Ledger, notice: CatalogueNotice, moment: Moment): NoticeAnswer {
  const { id, sellers, isFull, ignored } = notice
  const left = ignored === undefined ? {} : { ignored }
  const known = addNotice(listKnown(ledger, notice), id, moment.now)
  if (known === null) return { accepted: 0, pending: ledger.readStanding().pending, ...left }
  if (!admitStrangers(ledger, notice, moment))
    return { accepted: 0, pending: ledger.readStanding().pending, isTooMuch: true }
  if (isFull) askForFull(ledger, moment)
  if (sellers.length === 0) ledger.update({ requests: known })
  else takeSellers(ledger, { sellers, known }, moment)
  const { pending } = ledger.readStanding()
  return { accepted: sellers.length + (isFull ? 1 : 0), pending, ...left }
}

/**
 * Returns the known notices that this notice may repeat. A notice is stored in the row of its first seller, because
 * that row is written anyway. A notice without sellers, such as a request for a full read, is stored in the standing.
 */
function listKnown(ledger: Ledger, { sellers: [first] }: CatalogueNotice): readonly KnownNotice[] {
  return first === undefined ? ledger.readStanding().requests : (ledger.findRow(first)?.notices ?? [])
}

/** Records a request for a full read. */
function askForFull(ledger: Ledger, moment: Moment): void {
  const last = createSequence(ledger.readStanding().last, moment.now)
  ledger.update({ last, full: last })
  wakeBuilder(ledger, moment, true)
}

/** Records the changes. `known`: the notices to store in the row of the first seller. */
function takeSellers(
  ledger: Ledger,
  { sellers, known }: { readonly sellers: readonly string[]; readonly known: readonly KnownNotice[] },
  moment: Moment,
): void {
  const sequence = createSequence(ledger.readStanding().last, moment.now)
  for (const [index, seller] of sellers.entries()) {
    const row = ledger.findRow(seller)
    const notices = index === 0 ? known : (row?.notices ?? [])
    ledger.keepRow({ ...(row ?? createRow(seller)), changed: sequence, notices })
    if (row === null) ledger.addStranger(seller)
  }
  ledger.update({ last: sequence, lastNotice: moment.now })
  wakeBuilder(ledger, moment, false)
}

/** Records that changes, or a full read, wait for a builder. */
function wakeBuilder(ledger: Ledger, { now }: Moment, isFull: boolean): void {
  const standing = ledger.readStanding()
  ledger.update({
    oldest: standing.oldest ?? now,
    unclaimed: { first: standing.unclaimed?.first ?? now, last: now },
    ...shortenPause(standing, isFull, now),
  })
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
const MOST_STRANGERS = 600

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
