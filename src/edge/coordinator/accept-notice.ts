/** Accepts a notice; repeated deliveries of the same notice change nothing. Pure. */
import type { CatalogueNotice, NoticeAnswer } from '../../domain/wire/calls.ts'
import type { Ledger, Moment, LedgerStep, Standing } from './ledger.ts'
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
  { now }: Moment,
): LedgerStep<NoticeAnswer> {
  const { standing } = ledger
  const { id, sellers, isFull, ignored } = notice
  const left = ignored === undefined ? {} : { ignored }
  if (ledger.hasDelivery(id))
    return { changes: {}, answer: { accepted: 0, pending: standing.pending, ...left } }
  const next = addWaiting(ledger, { sellers, isFull }, now)
  return {
    changes: {
      standing: { ...next, lastNotice: isFull ? standing.lastNotice : now },
      delivery: { id, sequence: next.last },
      forgetBefore: now - DELIVERY_RETENTION,
      changed: { sellers, sequence: next.last },
    },
    answer: { accepted: sellers.length + (isFull ? 1 : 0), pending: next.pending, ...left },
  }
}

/** Returns the standing in which these sellers, or a full read, wait for a builder since now. Its `last` is their sequence. */
export function addWaiting(
  ledger: Ledger,
  { sellers, isFull }: Pick<CatalogueNotice, 'sellers' | 'isFull'>,
  now: number,
): Standing {
  const { standing } = ledger
  const { oldest, unclaimed } = standing
  const sequence = createSequence(standing.last, now)
  const fresh = sellers.filter((seller) => !isWaiting(ledger, seller))
  const waiting = { oldest: oldest ?? now, unclaimed: { first: unclaimed?.first ?? now, last: now } }
  return {
    ...standing,
    last: sequence,
    full: isFull ? sequence : standing.full,
    pending: standing.pending + fresh.length,
    ...(sellers.length > 0 || isFull ? { ...waiting, ...shortenPause(standing, isFull, now) } : {}),
  }
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
