/** Accepts a notice; repeated deliveries of the same notice change nothing. Pure. */
import type { NoticeAnswer } from '../../domain/wire/calls.ts'
import type { CatalogueNotice } from '../../domain/wire/notice.ts'
import { paceSellers } from './changes/seller-pace.ts'
import type { Ledger, Moment, LedgerStep, Standing, Unclaimed } from './ledger.ts'
import { createSequence } from './ledger.ts'

/**
 * How long delivery ids are kept to detect repeats, in milliseconds. A signature expires within minutes, but a sender
 * may sign the same notice again and retry it for hours.
 */
const DELIVERY_RETENTION = 24 * 60 * 60_000

/** Max pause between a failed build and the build of a later change, in milliseconds. */
const LONGEST_PAUSE = 5 * 60_000

export function acceptNotice(
  ledger: Ledger,
  notice: CatalogueNotice,
  moment: Moment,
): LedgerStep<NoticeAnswer> {
  const { now, settings } = moment
  const { standing } = ledger
  const { id, sellers, isFull, ignored } = notice
  const left = ignored === undefined ? {} : { ignored }
  if (ledger.hasDelivery(id))
    return { changes: {}, answer: { accepted: 0, pending: standing.pending, ...left } }
  const { changes, answer: waits } = paceSellers(ledger, sellers, moment)
  const wait = Math.min(...waits.values())
  const isOften = !isFull && sellers.length > 0 && wait > settings.quiet
  const next = addWaiting(ledger, { sellers, isFull, ...(isOften && { due: now + wait }) }, now)
  return {
    changes: {
      ...changes,
      standing: { ...next, lastNotice: isFull ? standing.lastNotice : now },
      delivery: { id, sequence: next.last },
      forgetBefore: now - DELIVERY_RETENTION,
      changed: { sellers, sequence: next.last },
      strangers: sellers.filter((seller) => ledger.findChange(seller) === null),
    },
    answer: { accepted: sellers.length + (isFull ? 1 : 0), pending: next.pending, ...left },
  }
}

interface Wanted extends Pick<CatalogueNotice, 'sellers' | 'isFull'> {
  /** When a build of them is due, if all of them change often. */
  readonly due?: number
}

/** Returns the standing in which these sellers, or a full read, wait for a builder since now. Its `last` is their sequence. */
export function addWaiting(ledger: Ledger, { sellers, isFull, due }: Wanted, now: number): Standing {
  const { standing } = ledger
  const { oldest } = standing
  const sequence = createSequence(standing.last, now)
  const fresh = sellers.filter((seller) => !isWaiting(ledger, seller))
  const waiting = { oldest: oldest ?? now, unclaimed: addUnclaimed(standing.unclaimed, due, now) }
  return {
    ...standing,
    last: sequence,
    full: isFull ? sequence : standing.full,
    pending: standing.pending + fresh.length,
    ...(sellers.length > 0 || isFull ? { ...waiting, ...shortenPause(standing, isFull, now) } : {}),
  }
}

/** Sellers who change often hasten no build of others, and delay none. */
function addUnclaimed(known: Unclaimed | null, due: number | undefined, now: number): Unclaimed {
  if (due === undefined) return { first: known?.first ?? now, last: now }
  if (known === null) return { first: now, last: now, due }
  return known.due === undefined ? known : { ...known, due: Math.min(known.due, due) }
}

/** Whether the seller waits for a builder. */
export function isWaiting(ledger: Ledger, seller: string): boolean {
  const changed = ledger.findChange(seller)
  const isChanged = changed !== null && changed > ledger.standing.published && !ledger.isQueued(seller)
  return isChanged || ledger.findFailure(seller) !== null
}

/**
 * A request for a full read starts the next build now. A change ends a long pause after failed builds, but starts none
 * sooner than a few minutes after the last: changes come all day, also while every build fails.
 */
function shortenPause(
  { notBefore, dispatch, result }: Standing,
  isFull: boolean,
  now: number,
): Pick<Standing, 'notBefore' | 'dispatch'> {
  if (isFull) return { notBefore: Math.min(notBefore, now), dispatch: { ...dispatch, unanswered: 0 } }
  // The pause of a dispatch is short, or the target has asked for it.
  if (dispatch.build !== null) return { notBefore, dispatch }
  return { notBefore: Math.min(notBefore, (result?.at ?? 0) + LONGEST_PAUSE), dispatch }
}

/**
 * Max sellers in a minute that no notice has named before. Each costs rows and a read of the source, also if it does not exist.
 * The notice that passes the bound is still accepted.
 */
export const MOST_STRANGERS = 600

const MINUTE = 60_000

/** Returns whether the notice is admitted. One that is signed with a secret of builders always is. */
export function admitStrangers(
  { standing, findChange }: Pick<Ledger, 'standing' | 'findChange'>,
  { sellers, isBounded = false }: CatalogueNotice,
  { now }: Pick<Moment, 'now'>,
): LedgerStep<boolean> {
  const added = isBounded ? sellers.filter((seller) => findChange(seller) === null).length : 0
  if (added === 0) return { changes: {}, answer: true }
  const isOver = Math.abs(now - standing.strangers.since) >= MINUTE
  const strangers = isOver ? { since: now, sellers: 0 } : standing.strangers
  if (strangers.sellers >= MOST_STRANGERS) return { changes: {}, answer: false }
  const counted = { ...strangers, sellers: strangers.sellers + added }
  return { changes: { standing: { ...standing, strangers: counted } }, answer: true }
}
