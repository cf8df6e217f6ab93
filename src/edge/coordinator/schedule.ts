/** Computes when a builder is dispatched next, and applies the expiry of a build lease. Pure. */
import type { Ledger, Moment, Standing } from './ledger.ts'
import { NO_DISPATCH } from './ledger.ts'
import type { CoordinatorSettings } from './coordinator-settings.ts'
import { growDelay } from '../../domain/wire/backoff.ts'

const LONGEST_START = 2 * 60 * 60_000

/** Returns when the next alarm for builds is due; `null` if none is needed before the next call. */
export function findAlarm(
  standing: Standing,
  settings: CoordinatorSettings,
  canDispatch: boolean,
): number | null {
  // Without a dispatch target no alarm is needed: the end of a lease starts no build, and the next call settles the
  // lease.
  if (!canDispatch) return null
  return standing.lease?.until ?? findDispatchTime(standing, settings)
}

/**
 * Returns when to dispatch a builder; `null` if nothing is unclaimed and no failing page waits for a retry, or if a
 * builder could do nothing because publishing is held. Ignores a running build.
 */
export function findDispatchTime(standing: Standing, settings: CoordinatorSettings): number | null {
  const { unclaimed, retryAt, notBefore, dispatch, publishing } = standing
  // Nothing can be published during a hold. The release of the hold schedules the next build.
  if (publishing.held !== null) return null
  const quiet =
    unclaimed === null
      ? null
      : Math.min(unclaimed.last + settings.quiet, unclaimed.first + settings.longestWait)
  if (quiet === null && retryAt === null) return null
  // The dispatched builder will claim all unclaimed changes. A builder is dispatched again only if none claims by this
  // time.
  if (dispatch.sentAt !== null) return dispatch.sentAt + findStartTime(dispatch.unanswered, settings)
  return Math.max(Math.min(quiet ?? Infinity, retryAt ?? Infinity), notBefore)
}

/** Drops an expired lease, so that its changes are unclaimed again. */
export function settleLease(ledger: Ledger, moment: Moment): void {
  const { lease } = ledger.readStanding()
  if (lease !== null && moment.now >= lease.until)
    failBuild(ledger, moment, 'the builder did not renew its lease')
}

/** Ends the build as failed. The next build starts after a delay that grows with each failure. */
export function failBuild(ledger: Ledger, { now, random, settings }: Moment, error: string): void {
  const standing = ledger.readStanding()
  const { lease, unclaimed } = standing
  if (lease === null) return
  // The build is repeated even without pending changes: it may have published pages that had failed in earlier builds,
  // and only the report of a successful build records their recovery.
  const first = standing.oldest ?? lease.since
  const setbacks = standing.setbacks + 1
  ledger.update({
    lease: null,
    setbacks,
    notBefore: now + growDelay(settings.buildRetry, setbacks, random),
    unclaimed: { first, last: unclaimed?.last ?? first },
    dispatch: NO_DISPATCH,
    result: { at: now, time: now - lease.since, isFull: lease.isFull, failed: 0, error },
  })
}

function findStartTime(unanswered: number, { start }: CoordinatorSettings): number {
  return Math.min(Math.max(start, LONGEST_START), start * 2 ** Math.min(unanswered, 30))
}
