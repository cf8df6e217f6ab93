/** When the coordinator should act next, and what a lease that ran out leaves behind. Pure. */
import type { Moment, Standing } from './ledger.ts'
import { NO_DISPATCH } from './ledger.ts'
import type { CoordinatorSettings } from './coordinator-settings.ts'
import { growDelay } from '../../domain/wire/backoff.ts'

const LONGEST_START = 2 * 60 * 60_000

/** `null` when nothing is to be done until something happens. */
export function findAlarm(
  standing: Standing,
  settings: CoordinatorSettings,
  canDispatch: boolean,
): number | null {
  if (standing.lease !== null) return standing.lease.until
  return canDispatch ? findDispatchTime(standing, settings) : null
}

/** When a builder should be started for what waits, while none is running. */
export function findDispatchTime(standing: Standing, settings: CoordinatorSettings): number | null {
  const { unclaimed, retryAt, notBefore, dispatch, publishing } = standing
  // What is built could not be published: the release starts the next build.
  if (publishing.held !== null) return null
  const quiet =
    unclaimed === null
      ? null
      : Math.min(unclaimed.last + settings.quiet, unclaimed.first + settings.longestWait)
  if (quiet === null && retryAt === null) return null
  // A builder was started: unless it never comes, it claims all of this.
  if (dispatch.sentAt !== null) return dispatch.sentAt + findStartTime(dispatch.unanswered, settings)
  return Math.max(Math.min(quiet ?? Infinity, retryAt ?? Infinity), notBefore)
}

/** The standing as it is now: a lease that ran out is lost, and what it held waits again. */
export function settleLease(standing: Standing, { now, random, settings }: Moment): Standing {
  const { lease } = standing
  if (lease === null || now < lease.until) return standing
  return endInVain(standing, { now, random, settings }, 'the builder was not heard of any more')
}

/** The build ends without anything published, and another is started after a growing delay. */
export function endInVain(standing: Standing, { now, random, settings }: Moment, error: string): Standing {
  const { lease, oldest, unclaimed } = standing
  if (lease === null) return standing
  const setbacks = standing.setbacks + 1
  return {
    ...standing,
    lease: null,
    setbacks,
    notBefore: now + growDelay(settings.buildRetry, setbacks, random),
    unclaimed: oldest === null ? unclaimed : { first: oldest, last: unclaimed?.last ?? oldest },
    dispatch: NO_DISPATCH,
    result: { at: now, time: now - lease.since, isFull: lease.isFull, failed: 0, error },
  }
}

function findStartTime(unanswered: number, { start }: CoordinatorSettings): number {
  return Math.min(Math.max(start, LONGEST_START), start * 2 ** Math.min(unanswered, 30))
}
