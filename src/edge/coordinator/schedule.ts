/** When the coordinator starts a builder: after quiet, after failures, after a lease that was not renewed. */
import { growDelay } from '../../domain/work/backoff.ts'
import type { CoordinatorState, Ledger, Moment } from './ledger.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND

/** How long a lease lasts. */
export const LEASE = 120 * SECOND

const BUILD_RETRY = { first: 30 * SECOND, longest: 30 * MINUTE }
const DISPATCH_RETRY = { first: 5 * SECOND, longest: 15 * MINUTE }

/** Pause before a second look. A new version may need it to reach the coordinator, after its marker was reported. */
const LOOK_PAUSE = 30 * SECOND
/** Longest time between two alarms, each of which looks at the live site. */
const LONGEST_IDLE = 10 * MINUTE

/** Result of a start. `patience`: how long the builder may take until it claims, in milliseconds. */
export type DispatchOutcome =
  | { readonly isSent: true; readonly patience: number }
  | { readonly isSent: false; readonly reason: string; readonly retryAfter: number }

/** Ends a lease that was not renewed in time. Every step begins with it. */
export function settleLease(ledger: Ledger, moment: Moment): CoordinatorState {
  const { token, until } = ledger.read()
  if (token !== null && until <= moment.now)
    failBuild(ledger, 'the builder neither renewed its lease nor reported', moment)
  return ledger.read()
}

/** Ends the lease without a published build. All its changes wait again. */
export function failBuild(ledger: Ledger, error: string, { now, random }: Moment): void {
  const failures = ledger.read().failures + 1
  ledger.update({ token: null, failures, error, dispatchAt: now + growDelay(BUILD_RETRY, failures, random) })
  wakeBuilder(ledger, now)
}

export function wakeBuilder(ledger: Ledger, now: number): void {
  ledger.update({ first: ledger.read().first ?? now, quietFrom: now })
}

/** Wants a build if two looks in turn find another live site than the one that was reported last. */
export function lookAtLive(ledger: Ledger, live: string | null, { now }: Moment): void {
  const { marker, held, token, lookAt } = ledger.read()
  const isStrange = marker !== null && live !== marker && held === null && token === null
  if (!isStrange) {
    if (lookAt !== null) ledger.update({ lookAt: null })
  } else if (lookAt === null) ledger.update({ lookAt: now + LOOK_PAUSE })
  else if (lookAt <= now) {
    ledger.update({ lookAt: null })
    wakeBuilder(ledger, now)
  }
}

/** Returns when to start a builder; `null` if none is wanted, or while one works or publishing is held. */
export function findDispatchTime(ledger: Ledger, { settings }: Moment): number | null {
  const { held, token, first, quietFrom, dispatchAt } = ledger.read()
  if (held !== null || token !== null) return null
  const wanted = first === null ? null : Math.min(quietFrom + settings.quiet, first + settings.longestWait)
  const { next } = ledger.findFailing()
  if (wanted === null && next === null) return null
  return Math.max(Math.min(wanted ?? Infinity, next ?? Infinity), dispatchAt)
}

/** Returns when the next alarm is due. There always is one. */
export function findAlarm(ledger: Ledger, moment: Moment): number {
  const { token, until, lookAt } = ledger.read()
  const work = token === null ? findDispatchTime(ledger, moment) : until
  return Math.min(work ?? Infinity, lookAt ?? Infinity, moment.now + LONGEST_IDLE)
}

/**
 * Returns the number of the try if a builder is due to be started now, else `null`. Stores the try and the time of the
 * next one before anything is sent, so that nothing is lost if the object ends meanwhile.
 */
export function planDispatch(ledger: Ledger, live: string | null | undefined, moment: Moment): number | null {
  const { now, random } = moment
  const state = settleLease(ledger, moment)
  if (live !== undefined) lookAtLive(ledger, live, moment)
  const due = findDispatchTime(ledger, moment)
  if (due === null || due > now) return null
  const tries = state.tries + 1
  ledger.update({ tries, dispatchAt: now + growDelay(DISPATCH_RETRY, tries, random) })
  return tries
}

interface Dispatched {
  readonly tries: number
  readonly outcome: DispatchOutcome
}

/** Records what became of a start. Changes nothing if its builder has already claimed. */
export function settleDispatch(ledger: Ledger, { tries, outcome }: Dispatched, { now }: Moment): void {
  const state = ledger.read()
  if (state.tries !== tries) return
  const pause = outcome.isSent ? outcome.patience : outcome.retryAfter
  ledger.update({
    dispatchAt: Math.max(state.dispatchAt, now + pause),
    ...(!outcome.isSent && { error: outcome.reason }),
  })
}
