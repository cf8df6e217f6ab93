/** Tells how fresh the site of objects is: to everybody, and with reasons to the maintainer. Pure. */
import type { ObjectStatus } from '../../../domain/wire/coordinator-status.ts'
import type { SiteState } from '../../../domain/wire/site-state.ts'
import type { Ledger } from '../ledger.ts'
import { findOldest } from '../read-status.ts'
import { BUCKETS } from './move-refill.ts'
import type { ObjectStanding, Refill } from './object-records.ts'

export interface SiteFacts {
  readonly ledger: Pick<Ledger, 'standing' | 'listFailures'>
  readonly objects: ObjectStanding
  /** Ascending. */
  readonly latencies: readonly number[]
}

export function formatSiteState({ ledger, objects, latencies }: SiteFacts): SiteState {
  const { code, totals, hold, refill } = objects
  const { standing } = ledger
  return {
    code,
    sellers: totals.sellers,
    waiting: { count: standing.pending, since: formatMaybe(findOldest(standing, ledger.listFailures())) },
    latency: formatLatency(latencies),
    fullRead: formatMaybe(standing.lastFull),
    refill: refill === null ? null : formatProgress(refill),
    isHeld: hold !== null,
  }
}

/** Returns `null` for a site without objects. */
export function formatObjectStatus({ objects, latencies }: Omit<SiteFacts, 'ledger'>): ObjectStatus | null {
  const { code, totals, hold, refusals, refill, lastPut } = objects
  if (code === null && lastPut === null && totals.sellers === 0) return null
  return {
    code,
    sellers: totals.sellers,
    products: totals.products,
    lastPut: formatMaybe(lastPut),
    held: hold === null ? null : { since: formatTime(hold.since), reason: hold.reason, objects: refusals },
    refill: refill === null ? null : formatRefill(refill),
    latency: formatLatency(latencies),
  }
}

function formatRefill(refill: Refill): ObjectStatus['refill'] {
  const { since, movedAt, rendered, failed } = refill
  return { ...formatProgress(refill), since: formatTime(since), moved: formatTime(movedAt), rendered, failed }
}

function formatProgress({ step }: Refill): { readonly done: number; readonly of: number } {
  return { done: step?.bucket ?? BUCKETS, of: BUCKETS }
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
