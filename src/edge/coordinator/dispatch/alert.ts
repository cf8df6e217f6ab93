/**
 * Decides when to send an alert: one when the site needs a person, one when it needs a person for something else, and
 * another when it no longer does. Records whether the receiver accepted the alert. Pure.
 */
import { growDelay } from '../../../domain/wire/backoff.ts'
import type { Alerting, AlertType, Sending } from './alerting.ts'
import { findProblemKind, NOTHING_TOLD } from './alerting.ts'
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
/** Max kinds of problems that are remembered as named. */
const MAX_NAMED = 100
const MINUTE = 60_000
/** Milliseconds between two checks: `CHECK` while something waits, runs or is wrong; otherwise `QUIET_CHECK`. */
const CHECK = 5 * MINUTE
const QUIET_CHECK = 60 * MINUTE
/** Least time from one accepted alert to another that the site needs a person, in milliseconds. */
const AGAIN = 60 * MINUTE
const RETRY = { first: MINUTE, longest: 60 * MINUTE }

/** Returns the alert to send now; `null` for none. */
export function planAlert(ledger: Ledger, check: AlertCheck, moment: Moment): Alert | null {
  const { now, random, settings } = moment
  const before = readAlerting(ledger)
  const isNeeded = check.problems.length > 0
  const reasons = isNeeded ? check.problems.slice(0, MAX_REASONS) : before.reasons
  const isNew = isNeeded && reasons.some((reason) => !before.named.includes(findProblemKind(reason)))
  const since = isNew ? (before.since ?? now) : null
  const type = findType(before, { since, isNeeded }, moment)
  const known = before.sending?.type === type ? before.sending : null
  const keep = (sending: Sending | null): null => {
    const alerting = { ...before, since, reasons, sending }
    if (JSON.stringify(alerting) !== JSON.stringify(before)) ledger.update({ alerting })
    return null
  }
  if (type === null) return keep(null)
  if (known !== null && now < known.notBefore) return keep(known)
  const tries = (known?.tries ?? 0) + 1
  const id = known?.id ?? check.newAlert
  // If the Worker dies before the outcome is recorded, the alert is sent again at this time.
  const notBefore = now + settings.dispatchTimeout + growDelay(RETRY, tries, random)
  keep({ id, type, tries, notBefore })
  return { id, type, reasons }
}

/** Returns the type of the alert that is due; `null` for none. A problem is reported once it has lasted. */
function findType(
  { told, at }: Alerting,
  { since, isNeeded }: { readonly since: number | null; readonly isNeeded: boolean },
  { now, settings }: Moment,
): AlertType | null {
  if (!isNeeded) return told === 'site.attention' ? 'site.recovered' : null
  if (since === null || now - since < settings.alertAfter) return null
  return told === 'site.attention' && now - at < AGAIN ? null : 'site.attention'
}

export function settleAlert(
  ledger: Ledger,
  { id, reasons, outcome }: Pick<Alert, 'id' | 'reasons'> & { readonly outcome: DispatchOutcome },
  { now }: Moment,
): void {
  const alerting = readAlerting(ledger)
  const { named, sending } = alerting
  if (sending?.id !== id) return
  const next: Alerting = outcome.isSent
    ? {
        ...alerting,
        since: null,
        told: sending.type,
        named: sending.type === 'site.attention' ? addKinds(named, reasons) : [],
        at: now,
        sending: null,
      }
    : {
        ...alerting,
        sending: { ...sending, notBefore: Math.max(sending.notBefore, now + outcome.retryAfter) },
      }
  ledger.update({ alerting: next })
}

function addKinds(named: readonly string[], reasons: readonly string[]): readonly string[] {
  return [...new Set([...named, ...reasons.map(findProblemKind)])].slice(-MAX_NAMED)
}

/** The stored value may lack fields, because an older Worker may have stored it. */
function readAlerting(ledger: Ledger): Alerting {
  return { ...NOTHING_TOLD, ...ledger.readStanding().alerting }
}

/** Returns when to check again for alerts. */
export function findAlertTime(standing: Standing, { alertAfter }: CoordinatorSettings, now: number): number {
  const { since, told, sending } = standing.alerting
  if (sending !== null) return sending.notBefore
  if (since !== null && told === 'site.recovered') return since + alertAfter
  return now + (isQuiet(standing) ? QUIET_CHECK : CHECK)
}

function isQuiet({ pending, full, published, unclaimed, lease, ...standing }: Standing): boolean {
  const { publishing, alerting } = standing
  const { held, doubtful, lease: publish } = publishing
  const isWaiting = pending > 0 || full > published || unclaimed !== null || lease !== null
  return (
    !isWaiting &&
    held === null &&
    doubtful === null &&
    publish === null &&
    alerting.since === null &&
    alerting.told === 'site.recovered'
  )
}
