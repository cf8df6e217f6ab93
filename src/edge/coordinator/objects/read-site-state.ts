/** Tells how fresh the site of objects is: to everybody, and with reasons to the maintainer. Pure. */
import type { ObjectStatus } from '../../../domain/wire/coordinator-status.ts'
import type { SiteState } from '../../../domain/wire/site-state.ts'
import type { Ledger } from '../ledger.ts'
import { findOldest } from '../read-status.ts'
import type { ObjectStanding } from './object-records.ts'

export interface SiteFacts {
  readonly ledger: Pick<Ledger, 'standing' | 'listFailures'>
  readonly objects: ObjectStanding
  /** Of those that the Worker renders itself: how many wait, and since when. */
  readonly changes: { readonly sellers: number; readonly oldest: number | null }
  /** Ascending. */
  readonly latencies: readonly number[]
}

export function formatSiteState({ ledger, objects, changes, latencies }: SiteFacts): Omit<SiteState, 'code'> {
  const { totals, hold } = objects
  const { standing } = ledger
  return {
    sellers: totals.sellers,
    waiting: {
      count: standing.pending + changes.sellers,
      since: formatMaybe(findOldest(standing, ledger.listFailures(), changes.oldest)),
    },
    latency: formatLatency(latencies),
    fullRead: formatMaybe(standing.lastFull),
    isHeld: hold !== null,
  }
}

/** Returns `null` for a site without objects. */
export function formatObjectStatus({
  objects,
  latencies,
}: Pick<SiteFacts, 'objects' | 'latencies'>): ObjectStatus | null {
  const { totals, hold, refusals, lastPut } = objects
  if (lastPut === null && totals.sellers === 0) return null
  return {
    sellers: totals.sellers,
    products: totals.products,
    lastPut: formatMaybe(lastPut),
    held: hold === null ? null : { since: formatTime(hold.since), reason: hold.reason, objects: refusals },
    latency: formatLatency(latencies),
  }
}

function formatLatency(latencies: readonly number[]): SiteState['latency'] {
  const count = latencies.length
  const at = (share: number): number | null => latencies[Math.ceil(count * share) - 1] ?? null
  return { count, p50: at(0.5), p95: at(0.95), slowest: latencies.at(-1) ?? null }
}

function formatMaybe(time: number | null): string | null {
  return time === null ? null : formatTime(time)
}

function formatTime(time: number): string {
  return new Date(time).toISOString()
}
