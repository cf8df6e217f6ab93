/**
 * Decides when to send an alert: one when the site needs a person, and another when it no longer does. Records whether
 * the receiver accepted the alert. Pure.
 */
import { growDelay } from '../../../domain/wire/backoff.ts'
import type { Alerting, AlertType, Sending } from './alerting.ts'
import type { CoordinatorSettings } from '../coordinator-settings.ts'
import type { DispatchOutcome } from './dispatch-build.ts'
import type { Ledger, Moment, Standing } from '../ledger.ts'

export interface Alert {
  readonly id: string
  readonly type: AlertType
  readonly reasons: readonly string[]
}

interface AlertCheck {
  /** Messages that describe problems which need a person. */
  readonly problems: readonly string[]
  /** Id of the new alert, used if this check starts one. */
  readonly newAlert: string
}

const MAX_REASONS = 20
const MINUTE = 60_000
/** Milliseconds between two checks: `CHECK` while something waits, runs or is wrong; otherwise `QUIET_CHECK`. */
const CHECK = 5 * MINUTE
const QUIET_CHECK = 60 * MINUTE
const RETRY = { first: MINUTE, longest: 60 * MINUTE }

/** Returns the alert to send now; `null` for none. Problems are reported once they have lasted for `alertAfter`. */
export function planAlert(ledger: Ledger, check: AlertCheck, moment: Moment): Alert | null {
  const { now, random, settings } = moment
  const before = ledger.readStanding().alerting
  const isNeeded = check.problems.length > 0
  const since = isNeeded ? (before.since ?? now) : null
  const isLasting = since !== null && now - since >= settings.alertAfter
  const reasons = isNeeded ? check.problems.slice(0, MAX_REASONS) : before.reasons
  const type = isNeeded ? (isLasting ? 'site.attention' : before.told) : 'site.recovered'
  const known = before.sending?.type === type ? before.sending : null
  const keep = (sending: Sending | null): null => {
    const alerting = { since, told: before.told, reasons, sending }
    if (JSON.stringify(alerting) !== JSON.stringify(before)) ledger.update({ alerting })
    return null
  }
  if (type === before.told) return keep(null)
  if (known !== null && now < known.notBefore) return keep(known)
  const tries = (known?.tries ?? 0) + 1
  const id = known?.id ?? check.newAlert
  // If the Worker dies before the outcome is recorded, the alert is sent again at this time.
  const notBefore = now + settings.dispatchTimeout + growDelay(RETRY, tries, random)
  keep({ id, type, tries, notBefore })
  return { id, type, reasons }
}

export function settleAlert(
  ledger: Ledger,
  { id, outcome }: { readonly id: string; readonly outcome: DispatchOutcome },
  { now }: Moment,
): void {
  const { alerting } = ledger.readStanding()
  const { sending } = alerting
  if (sending?.id !== id) return
  const next: Alerting = outcome.isSent
    ? { ...alerting, told: sending.type, sending: null }
    : {
        ...alerting,
        sending: { ...sending, notBefore: Math.max(sending.notBefore, now + outcome.retryAfter) },
      }
  ledger.update({ alerting: next })
}

/**
 * Returns when to check again for alerts. `isWatched`: changes that the Worker renders need an alarm, or the guard
 * refuses removals.
 */
export function findAlertTime(
  standing: Standing,
  { alertAfter }: CoordinatorSettings,
  { now, isWatched }: { readonly now: number; readonly isWatched: boolean },
): number {
  const { since, told, sending } = standing.alerting
  if (sending !== null) return sending.notBefore
  if (since !== null && told === 'site.recovered') return since + alertAfter
  return now + (isQuiet(standing) && !isWatched ? QUIET_CHECK : CHECK)
}

function isQuiet({ pending, full, published, unclaimed, lease, publishing, alerting }: Standing): boolean {
  const { held, doubtful, lease: publish } = publishing
  const isWaiting = pending > 0 || full > published || unclaimed !== null || lease !== null
  return !isWaiting && held === null && doubtful === null && publish === null && alerting.since === null
}
