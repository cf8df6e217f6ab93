/** Accepts a notice; repeated deliveries of the same notice change nothing. Pure. */
import type { CatalogueNotice, NoticeAnswer } from '../../domain/wire/calls.ts'
import type { Ledger, Moment, LedgerStep } from './ledger.ts'
import { createSequence } from './ledger.ts'

/**
 * How long delivery ids are kept to detect repeats, in milliseconds. A signature expires within minutes, but a sender
 * may sign the same notice again and retry it for hours.
 */
const DELIVERY_RETENTION = 24 * 60 * 60_000

export function acceptNotice(
  ledger: Ledger,
  notice: CatalogueNotice,
  { now }: Moment,
): LedgerStep<NoticeAnswer> {
  const { standing } = ledger
  if (ledger.hasDelivery(notice.id))
    return { changes: {}, answer: { accepted: 0, pending: standing.pending } }
  const { id, sellers, isFull } = notice
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
        ...(accepted > 0 ? waiting : {}),
      },
      delivery: { id, sequence },
      forgetBefore: now - DELIVERY_RETENTION,
      changed: { sellers, sequence },
    },
    answer: { accepted, pending },
  }
}

function isWaiting(ledger: Ledger, seller: string): boolean {
  const changed = ledger.findChange(seller)
  return (changed !== null && changed > ledger.standing.published) || ledger.findFailure(seller) !== null
}
