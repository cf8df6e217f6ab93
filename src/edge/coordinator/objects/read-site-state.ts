/** Reports how fresh a site of objects is: a short form for the public, and one with reasons for the maintainer. */
import type { ObjectStatus } from '../../../domain/wire/coordinator-status.ts'
import { formatInstant } from '../format-instant.ts'
import type { Ledger } from '../ledger.ts'
import type { SiteState } from '../object-ledger.ts'

export function readSiteState(ledger: Ledger): SiteState {
  const { pending, totals, hold, lastFull, latencies } = ledger.readStanding()
  return {
    sellers: totals.sellers,
    waiting: { count: pending, since: formatInstant(findOldest(ledger)) },
    latency: formatLatency(latencies),
    fullRead: formatInstant(lastFull),
    isHeld: hold !== null,
  }
}

/** Returns `null` if there are no objects and none was ever put. */
export function readObjectStatus(ledger: Ledger): ObjectStatus | null {
  const { totals, hold, refusals, lastPut, latencies } = ledger.readStanding()
  if (lastPut === null && totals.sellers === 0) return null
  return {
    sellers: totals.sellers,
    products: totals.products,
    lastPut: formatInstant(lastPut),
    held: hold === null ? null : { since: formatInstant(hold.since), reason: hold.reason, objects: refusals },
    latency: formatLatency(latencies),
  }
}

/**
 * Returns when the oldest change that is not live arrived, or an older request for a full read that is not done; `null`
 * for none.
 */
export function findOldest(ledger: Ledger): number | null {
  const times = [ledger.readStanding().oldest, ledger.findOldestFailure()].filter((time) => time !== null)
  return times.length === 0 ? null : Math.min(...times)
}

function formatLatency(latencies: readonly number[]): SiteState['latency'] {
  const count = latencies.length
  const ascending = latencies.toSorted((a, b) => a - b)
  const at = (share: number): number | null => ascending[Math.ceil(count * share) - 1] ?? null
  return { count, p50: at(0.5), p95: at(0.95), slowest: at(1) }
}
