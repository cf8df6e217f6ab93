/** Which sellers wait for a builder, and which for the queue of changes: moves them from one to the other. Pure. */
import { addWaiting, isWaiting } from '../accept-notice.ts'
import type { Ledger, LedgerStep, Moment, Standing } from '../ledger.ts'
import { createSequence, NO_DISPATCH } from '../ledger.ts'

type Now = Pick<Moment, 'now'>

/** Returns the sequence of these changes, which need no builder. A state that is older than they are is still given them. */
export function queueSellers(ledger: Ledger, sellers: readonly string[], { now }: Now): LedgerStep<number> {
  const { standing } = ledger
  const sequence = createSequence(standing.last, now)
  const moved = sellers.filter((seller) => isWaiting(ledger, seller))
  const next = { ...standing, last: sequence }
  return {
    changes: {
      standing: moved.length === 0 ? next : forgetWaiting(ledger, next, moved),
      changed: { sellers, sequence },
      recovered: moved,
    },
    answer: sequence,
  }
}

/** As a notice of these sellers would, but without one. */
export function leaveToBuilder(ledger: Ledger, sellers: readonly string[], { now }: Now): LedgerStep<null> {
  const standing = addWaiting(ledger, { sellers, isFull: false }, now)
  return { changes: { standing, changed: { sellers, sequence: standing.last } }, answer: null }
}

export function listWaiting(ledger: Ledger): readonly string[] {
  const changed = ledger.listChanged(ledger.standing.published).filter((seller) => isWaiting(ledger, seller))
  return [...new Set([...changed, ...ledger.listFailures().map(({ seller }) => seller)])]
}

/** No builder is started when nothing waits for one. */
function forgetWaiting(ledger: Ledger, standing: Standing, moved: readonly string[]): Standing {
  const times = ledger
    .listFailures()
    .flatMap(({ seller, retryAt }) => (moved.includes(seller) ? [] : [retryAt]))
  const retryAt = times.length === 0 ? null : Math.min(...times)
  const pending = standing.pending - moved.length
  const next = { ...standing, pending, retryAt }
  if (pending > 0 || standing.full > standing.published || standing.lease !== null) return next
  return { ...next, oldest: null, unclaimed: null, notBefore: 0, dispatch: NO_DISPATCH }
}
