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
  const sequence = createSequence(standing.last, now)
  const accepted = sellers.length + (isFull ? 1 : 0)
  const fresh = sellers.filter((seller) => !isWaiting(ledger, seller))
  const pending = standing.pending + fresh.length
  const { oldest, unclaimed } = standing
  const waiting = { oldest: oldest ?? now, unclaimed: { first: unclaimed?.first ?? now, last: now } }
  return {
    changes: {
      standing: {
        ...standing,
        last: sequence,
        full: isFull ? sequence : standing.full,
        pending,
        lastNotice: isFull ? standing.lastNotice : now,
        ...(accepted > 0 ? { ...waiting, ...shortenPause(standing, isFull, now) } : {}),
      },
      delivery: { id, sequence },
      forgetBefore: now - DELIVERY_RETENTION,
      changed: { sellers, sequence },
    },
    answer: { accepted, pending, ...left },
  }
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

function isWaiting(ledger: Ledger, seller: string): boolean {
  const changed = ledger.findChange(seller)
  return (changed !== null && changed > ledger.standing.published) || ledger.findFailure(seller) !== null
}
