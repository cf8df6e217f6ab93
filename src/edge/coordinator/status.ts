/** Formats the coordinator's status for the maintainer. */
import type { CallAnswer } from '../../domain/wire/calls.ts'
import type { SiteMarker } from '../../domain/wire/site-marker.ts'
import type { Ledger, Moment } from './ledger.ts'
import { findDispatchTime, settleLease } from './schedule.ts'
import type { CoordinatorSettings } from './settings.ts'
import { formatTime } from './steps.ts'

interface StatusCall {
  readonly live: SiteMarker | null
  /** Number of builders that wait. */
  readonly builders: number
  readonly settings: CoordinatorSettings
}

/** Max length of the list of failed sellers. */
const MAX_LISTED = 100

export function readStatus(
  ledger: Ledger,
  { live, builders, settings: { workflow, problems } }: StatusCall,
  moment: Moment,
): CallAnswer<'status'> {
  const { done, full, token, builder, until, tries, failures, error, held, marker } = settleLease(
    ledger,
    moment,
  )
  const { count, oldest } = ledger.findWaiting(done)
  const next = findDispatchTime(ledger, moment)
  const isFull = full > done
  const first = Math.min(oldest ?? Infinity, isFull ? full : Infinity)
  return {
    now: formatTime(moment.now),
    waiting: count,
    full: isFull,
    oldest: first === Infinity ? null : formatTime(first),
    lease: token === null ? null : { builder, until: formatTime(until) },
    failed: ledger.findFailing().count,
    failing: ledger.listFailed(MAX_LISTED).map((row) => ({
      seller: row.seller,
      reason: row.failed ?? '',
      tries: row.tries,
      next: formatTime(row.next),
    })),
    builders,
    workflow: workflow === null ? null : `GitHub ${workflow.repository}`,
    tries,
    failures,
    next: next === null ? null : formatTime(next),
    error,
    held,
    reported: marker,
    live,
    problems: [...problems],
  }
}
