/** Claiming and renewing a build lease. At most one builder holds the lease. Pure. */
import { MAX_STRANGERS } from '../../domain/wire/calls.ts'
import type { Claim, ClaimAnswer, RenewAnswer } from '../../domain/wire/calls.ts'
import type { Failure, Ledger, Lease, Moment, Standing, LedgerStep } from './ledger.ts'
import { createSequence, NO_DISPATCH } from './ledger.ts'

/** Returns `null` while another builder holds the lease. A repeated claim by the holder returns the same lease. */
export function claimBuild(ledger: Ledger, claim: Claim, moment: Moment): LedgerStep<ClaimAnswer | null> {
  const { standing } = ledger
  const held = standing.lease
  if (held !== null && held.builder !== claim.builder) return { changes: {}, answer: null }
  const isFull = isFullNeeded(standing, claim.have)
  const lease = held ?? createLease(standing, claim, moment)
  const next: Lease = { ...lease, isFull, until: moment.now + moment.settings.lease }
  const sellers = isFull ? null : listSellers(ledger, claim.have ?? 0, next)
  const given = ledger.listFailures().filter(({ seller }) => sellers === null || sellers.has(seller))
  const strangers = ledger.listStrangers(MAX_STRANGERS)
  const granted = {
    lease: next.id,
    upTo: next.upTo,
    until: formatTime(next.until),
    ...(strangers.length > 0 && { strangers }),
  }
  return {
    changes: {
      standing: {
        ...standing,
        last: Math.max(standing.last, next.upTo),
        lease: next,
        // Changes that arrived after the first claim stay unclaimed, even if a repeated claim returns them as well.
        unclaimed: held === null ? null : standing.unclaimed,
        dispatch: NO_DISPATCH,
      },
      failures: given.map((failure) => ({ ...failure, lease: next.id })),
    },
    answer: sellers === null ? { ...granted, full: true } : { ...granted, sellers: [...sellers] },
  }
}

/** Returns `null` when the lease has ended. */
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
  // A fresh sequence number, so that the states of two builds never share one.
  const upTo = createSequence(last, now)
  return { id: newLease, builder, upTo, isFull: false, since: now, until: now }
}

function isFullNeeded({ origin, last, full }: Standing, have: number | null): boolean {
  return have === null || have < origin || have > last || have < full
}

/** Returns the sellers changed after `have`, and the failed sellers whose retry was due when the build began. */
function listSellers(ledger: Ledger, have: number, lease: Lease): ReadonlySet<string> {
  const isDue = (failure: Failure): boolean => failure.retryAt <= lease.since || failure.lease === lease.id
  const due = ledger.listFailures().filter(isDue)
  return new Set([...ledger.listChanged(have), ...due.map(({ seller }) => seller)])
}

function formatTime(time: number): string {
  return new Date(time).toISOString()
}
