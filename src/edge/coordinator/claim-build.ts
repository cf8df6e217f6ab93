/** Grants and renews build leases. At most one builder holds the lease. */
import { MAX_STRANGERS } from '../../domain/wire/calls.ts'
import type { Claim, ClaimAnswer, RenewAnswer } from '../../domain/wire/calls.ts'
import type { FeedRow } from './feed-row.ts'
import { formatInstant } from './format-instant.ts'
import type { Ledger, Lease, Moment, Standing } from './ledger.ts'
import { createSequence, NO_DISPATCH } from './ledger.ts'

/**
 * Returns `null` while another builder holds the lease. A repeated claim by the holder renews the same lease, unless
 * the holder needs a full read and the lease covers only some sellers: then that lease ends.
 */
export function claimBuild(ledger: Ledger, claim: Claim, moment: Moment): ClaimAnswer | null {
  const standing = ledger.readStanding()
  if (standing.lease !== null && standing.lease.builder !== claim.builder) return null
  const isFull = isFullNeeded(standing, claim.have)
  // A build that read only some sellers must not be recorded as a full read.
  const held = isFull && standing.lease?.isFull === false ? null : standing.lease
  const lease = held ?? createLease(standing, claim, moment)
  const next: Lease = { ...lease, isFull, until: moment.now + moment.settings.lease }
  const failing = ledger.listFailing()
  const sellers = isFull ? null : listSellers(ledger.listChanged(claim.have ?? 0), failing, next)
  for (const { failure, ...row } of failing)
    if (failure !== null && (sellers === null || sellers.has(row.seller)))
      ledger.keepRow({ ...row, failure: { ...failure, lease: next.id } })
  ledger.update({
    last: Math.max(standing.last, next.upTo),
    claimed: next.upTo,
    lease: next,
    // Changes that arrived after the first claim stay unclaimed, even if a repeated claim returns them as well.
    unclaimed: held === null ? null : standing.unclaimed,
    dispatch: NO_DISPATCH,
  })
  const strangers = ledger.listStrangers(MAX_STRANGERS)
  const granted = {
    lease: next.id,
    upTo: next.upTo,
    until: formatInstant(next.until),
    ...(strangers.length > 0 && { strangers }),
  }
  return sellers === null ? { ...granted, full: true } : { ...granted, sellers: [...sellers] }
}

/**
 * A renewal writes nothing if it would extend the lease by less than this share of its length, for example just after a
 * claim.
 */
const LITTLE = 0.1

/** Returns `null` when the lease has ended. */
export function renewLease(ledger: Ledger, id: string, { now, settings }: Moment): RenewAnswer | null {
  const { lease } = ledger.readStanding()
  if (lease?.id !== id) return null
  const until = now + settings.lease
  if (until - lease.until < LITTLE * settings.lease) return { until: formatInstant(lease.until) }
  ledger.update({ lease: { ...lease, until } })
  return { until: formatInstant(until) }
}

function createLease({ last }: Standing, { newLease, builder }: Claim, { now }: Moment): Lease {
  // Always a new sequence number, so that two builds never have the same one.
  const upTo = createSequence(last, now)
  return { id: newLease, builder, upTo, isFull: false, since: now, until: now }
}

function isFullNeeded({ origin, last, full }: Standing, have: number | null): boolean {
  return have === null || have < origin || have > last || have < full
}

/** Returns the changed sellers, and the failed ones whose retry was due when the build began. */
function listSellers(
  changed: readonly string[],
  failing: readonly FeedRow[],
  lease: Lease,
): ReadonlySet<string> {
  const due = failing.filter(
    ({ failure }) => failure !== null && (failure.retryAt <= lease.since || failure.lease === lease.id),
  )
  return new Set([...changed, ...due.map(({ seller }) => seller)])
}
