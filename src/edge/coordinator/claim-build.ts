/** A builder takes what waits, one builder at a time, and keeps its lease. Pure. */
import type { Claim, ClaimAnswer, RenewAnswer } from '../../domain/wire/calls.ts'
import type { Failure, Ledger, Lease, Moment, Standing, LedgerStep } from './ledger.ts'
import { createSequence, NO_DISPATCH } from './ledger.ts'

/** Answers `null` while another builder has the lease. */
export function claimBuild(ledger: Ledger, claim: Claim, moment: Moment): LedgerStep<ClaimAnswer | null> {
  const { standing } = ledger
  const held = standing.lease
  if (held !== null && held.builder !== claim.builder) return { changes: {}, answer: null }
  const isFull = isFullNeeded(standing, claim.have)
  const lease = held ?? createLease(standing, claim, moment)
  const next: Lease = { ...lease, isFull, until: moment.now + moment.settings.lease }
  const sellers = isFull ? null : listSellers(ledger, claim.have ?? 0, next)
  const given = ledger.listFailures().filter(({ seller }) => sellers === null || sellers.has(seller))
  const granted = { lease: next.id, upTo: next.upTo, until: formatTime(next.until) }
  return {
    changes: {
      standing: {
        ...standing,
        last: Math.max(standing.last, next.upTo),
        lease: next,
        // What came since the first claim is for the next build, whether it was in the answer or not.
        unclaimed: held === null ? null : standing.unclaimed,
        dispatch: NO_DISPATCH,
      },
      failures: given.map((failure) => ({ ...failure, lease: next.id })),
    },
    answer: sellers === null ? { ...granted, full: true } : { ...granted, sellers: [...sellers] },
  }
}

/** Answers `null` when the lease has ended. */
export function renewLease(ledger: Ledger, id: string, moment: Moment): LedgerStep<RenewAnswer | null> {
  const { standing } = ledger
  const { lease } = standing
  if (lease?.id !== id) return { changes: {}, answer: null }
  const until = moment.now + moment.settings.lease
  return {
    changes: { standing: { ...standing, lease: { ...lease, until } } },
    answer: { until: formatTime(until) },
  }
}

function createLease({ last }: Standing, { newLease, builder }: Claim, { now }: Moment): Lease {
  // A number of its own: states of different builds never have the same.
  const upTo = createSequence(last, now)
  return { id: newLease, builder, upTo, isFull: false, since: now, until: now }
}

function isFullNeeded({ origin, last, full }: Standing, have: number | null): boolean {
  return have === null || have < origin || have > last || have < full
}

/** Those changed since, and the failed ones whose turn it was when the build began. */
function listSellers(ledger: Ledger, have: number, lease: Lease): ReadonlySet<string> {
  const isDue = (failure: Failure): boolean => failure.retryAt <= lease.since || failure.lease === lease.id
  const due = ledger.listFailures().filter(isDue)
  return new Set([...ledger.listChanged(have), ...due.map(({ seller }) => seller)])
}

function formatTime(time: number): string {
  return new Date(time).toISOString()
}
