/** When the alarm fires: decides whether to dispatch a builder, and records the outcome. Pure. */
import type { Ledger, Moment } from '../ledger.ts'
import { findDispatchTime } from '../schedule.ts'
import { growDelay } from '../../../domain/wire/backoff.ts'

interface Alarm {
  /** Whether a dispatch target is configured. */
  readonly canDispatch: boolean
  /** Id of the new build, used if this alarm starts one. */
  readonly newBuild: string
}

/** Result of a dispatch. `retryAfter` is the pause that the target requested, in milliseconds; 0 for none. */
export type DispatchOutcome =
  | { readonly isSent: true }
  | { readonly isSent: false; readonly reason: string; readonly retryAfter: number }

interface Dispatched {
  readonly build: string
  readonly outcome: DispatchOutcome
}

/** Returns the id of the build to dispatch, `null` when none is due. */
export function planDispatch(
  ledger: Ledger,
  { canDispatch, newBuild }: Alarm,
  { now, random, settings }: Moment,
): string | null {
  const standing = ledger.readStanding()
  const due = findDispatchTime(standing, settings)
  const isDue = canDispatch && standing.lease === null && due !== null && due <= now
  if (!isDue) return null
  const { dispatch } = standing
  const isUnanswered = dispatch.sentAt !== null
  const isNew = dispatch.build === null || isUnanswered
  const build = isNew ? newBuild : (dispatch.build ?? newBuild)
  const tries = isNew ? 1 : dispatch.tries + 1
  const unanswered = dispatch.unanswered + (isUnanswered ? 1 : 0)
  ledger.update({
    // If the Worker dies before the outcome is recorded, the alarm fires again at this time.
    notBefore: now + settings.dispatchTimeout + growDelay(settings.dispatchRetry, tries, random),
    dispatch: { ...dispatch, build, tries, sentAt: null, unanswered },
  })
  return build
}

/** Records the target's answer. Changes nothing if a builder has already claimed the build. */
export function settleDispatch(
  ledger: Ledger,
  { build, outcome }: Dispatched,
  { now, random, settings }: Moment,
): void {
  const { dispatch } = ledger.readStanding()
  if (dispatch.build !== build) return
  if (outcome.isSent) return ledger.update({ dispatch: { ...dispatch, sentAt: now, error: null } })
  const delay = growDelay(settings.dispatchRetry, dispatch.tries, random)
  ledger.update({
    notBefore: now + Math.max(delay, outcome.retryAfter),
    dispatch: { ...dispatch, error: { at: now, reason: outcome.reason } },
  })
}
