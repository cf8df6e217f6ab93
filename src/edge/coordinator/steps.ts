/**
 * The calls as steps on the ledger. Each runs in one transaction and may be repeated. What makes them right is played
 * by `tests/model/coordinator.test.ts`.
 */
import { growDelay } from '../../domain/work/backoff.ts'
import type { CallBody } from '../../domain/wire/calls.ts'
import type { CoordinatorState, FeedRow, Ledger, Moment } from './ledger.ts'
import { failBuild, LEASE, lookAtLive, settleLease, wakeBuilder } from './schedule.ts'

/** With more sellers a claim is given everything. */
const MAX_CLAIMED = 10_000
/** Least time between two times at which too many rows make the coordinator ask for everything, in milliseconds. */
const BOUND_PAUSE = 10 * 60_000
/** Pause before a seller's failed pages are tried again. The builder's own, which is as long, decides. */
const SELLER_RETRY = { first: 60_000, longest: 6 * 60 * 60_000 }

export interface Waiting {
  /** Number of sellers whose changes are not live. */
  readonly waiting: number
}

/** Returns `null`, and stores nothing, if there are too many rows and everything was asked for a short time ago. */
export function acceptNotice(
  ledger: Ledger,
  asked: CallBody<'notice'>['data'],
  moment: Moment,
): Waiting | null {
  const { now, settings } = moment
  const { last, boundAt } = settleLease(ledger, moment)
  if ('full' in asked) {
    askForEverything(ledger, now)
    // Someone, or the nightly timer, has asked: no failure of before delays the build.
    ledger.update({ tries: 0, failures: 0, dispatchAt: 0 })
  } else {
    if (ledger.isLarger(settings.maxRows) && now < boundAt + BOUND_PAUSE) return null
    const sequence = createSequence(last, now)
    ledger.update({ last: sequence })
    for (const seller of new Set(asked.sellers)) ledger.addChange(seller, sequence)
    if (ledger.isLarger(settings.maxRows) && now >= boundAt + BOUND_PAUSE) boundRows(ledger, now)
  }
  wakeBuilder(ledger, now)
  return countWaiting(ledger)
}

export type Granted =
  | { readonly held: string }
  | { readonly busy: string }
  | { readonly upTo: number; readonly seconds: number; readonly full: true }
  | { readonly upTo: number; readonly seconds: number; readonly sellers: readonly string[] }

/** Grants the one lease. A repeated claim gets it again, because its builder may already read what was named. */
export function claimBuild(
  ledger: Ledger,
  { token, builder, have }: CallBody<'claim'>,
  moment: Moment,
): Granted {
  const { now } = moment
  const state = settleLease(ledger, moment)
  const { last, held } = state
  if (held !== null) return { held }
  const isRepeated = state.token === token
  if (state.token !== null && !isRepeated) return { busy: formatTime(state.until) }
  // A claim that arrives after its own report has been overtaken on the way.
  if (state.ended === token) return { busy: formatTime(now) }
  const upTo = isRepeated ? state.upTo : createSequence(last, now)
  ledger.update({ token, builder, upTo, until: now + LEASE, last: Math.max(last, upTo), tries: 0 })
  if (!isRepeated) ledger.update({ first: null })
  const granted = { upTo, seconds: LEASE / 1_000 }
  if (isFullNeeded(state, have)) return { ...granted, full: true }
  const sellers = ledger.listSellers(have ?? 0, now, MAX_CLAIMED + 1)
  return sellers.length > MAX_CLAIMED ? { ...granted, full: true } : { ...granted, sellers }
}

/** Returns `null` if the lease has ended or belongs to another builder, and while publishing is held. */
export function renewLease(ledger: Ledger, token: string, moment: Moment): { seconds: number } | null {
  const state = settleLease(ledger, moment)
  if (state.token !== token || state.held !== null) return null
  ledger.update({ until: moment.now + LEASE })
  return { seconds: LEASE / 1_000 }
}

export interface Report {
  readonly token: string
  readonly report: CallBody<'done'>
  /** Run of the live site; `null` if it has none. */
  readonly live: string | null
}

/** Returns `null` if the lease has ended: then nothing is cleared. */
export function finishBuild(ledger: Ledger, { token, report, live }: Report, moment: Moment): Waiting | null {
  const state = settleLease(ledger, moment)
  if (state.ended === token) return countWaiting(ledger)
  if (state.token !== token) {
    lookAtLive(ledger, live, moment)
    return null
  }
  if ('error' in report) {
    failBuild(ledger, report.error, moment)
    ledger.update({ ended: token })
    return countWaiting(ledger)
  }
  // The lease had run out, and a claim that was late on the way was granted another one.
  if (report.upTo !== state.upTo) {
    failBuild(ledger, 'the report belongs to a lease that had run out', moment)
    return null
  }
  settleFailures(ledger, report.failed, moment)
  ledger.update({
    done: Math.max(state.done, state.upTo),
    token: null,
    ended: token,
    marker: report.marker,
    failures: 0,
    dispatchAt: 0,
    error: null,
  })
  lookAtLive(ledger, live, moment)
  if (ledger.isLarger(moment.settings.maxRows)) boundRows(ledger, moment.now)
  return countWaiting(ledger)
}

/** Refuses claims and renewals from now on. Returns the end of the lease that still runs. */
export function holdPublishing(ledger: Ledger, reason: string, moment: Moment): { until: string | null } {
  const { token, until } = settleLease(ledger, moment)
  ledger.update({ held: reason })
  return { until: token === null ? null : formatTime(until) }
}

/** Ends a hold, and wants a build. */
export function releasePublishing(ledger: Ledger, _: null, moment: Moment): { until: null } {
  const { held } = settleLease(ledger, moment)
  if (held !== null) {
    ledger.update({ held: null, tries: 0, failures: 0, dispatchAt: 0 })
    wakeBuilder(ledger, moment.now)
  }
  return { until: null }
}

export function formatTime(time: number): string {
  return new Date(time).toISOString()
}

function createSequence(last: number, now: number): number {
  return Math.max(last + 1, now)
}

/** All rows go, because every builder has to read everything anyway. */
function askForEverything(ledger: Ledger, now: number): void {
  const full = createSequence(ledger.read().last, now)
  ledger.update({ last: full, full })
  ledger.clear()
}

function boundRows(ledger: Ledger, now: number): void {
  askForEverything(ledger, now)
  ledger.update({ boundAt: now })
  wakeBuilder(ledger, now)
}

function isFullNeeded({ origin, last, full }: CoordinatorState, have: number | null): boolean {
  return have === null || have < origin || have < full || have > last
}

/** Sellers of the build who did not fail lose their failure; those who did are tried again later. */
function settleFailures(
  ledger: Ledger,
  failed: readonly { readonly seller: string; readonly reason: string }[],
  { now, random }: Moment,
): void {
  const { upTo } = ledger.read()
  const before = new Map(ledger.takeFailures(upTo).map((row) => [row.seller, row]))
  for (const { seller, reason } of failed) {
    const row = before.get(seller) ?? ledger.findRow(seller) ?? createRow(seller, upTo)
    // A build of other sellers reports her, too, and leaves the time of her next try as it is.
    const isDue = row.failed === null || row.next <= now
    const tries = row.tries + 1
    const next = now + growDelay(SELLER_RETRY, tries, random)
    ledger.putRow({ ...row, failed: reason, ...(isDue && { tries, next }) })
  }
}

function createRow(seller: string, changed: number): FeedRow {
  return { seller, changed, failed: null, tries: 0, next: 0 }
}

function countWaiting(ledger: Ledger): Waiting {
  return { waiting: ledger.findWaiting(ledger.read().done).count }
}
