/**
 * How long a change waits for further ones: the longer, the more often its seller changed within the last hour. One seller
 * alone keeps no builder busy, and costs the others no time. Pure.
 */
import type { CoordinatorSettings } from '../coordinator-settings.ts'
import type { Ledger, LedgerStep, Moment, Pace } from '../ledger.ts'

/** Waits by seller, in milliseconds. */
export type Waits = ReadonlyMap<string, number>

/** How long a pace is known, in milliseconds. */
const HOUR = 60 * 60_000
/** Changes in an hour that wait no longer than others. */
const FREE = 12
/** Further changes that double the wait. */
const DOUBLING = 6
/** More are not counted, so that the longest wait ends within an hour of calm. */
const MOST = 72

/** Counts a change of each seller. Called before the change itself is noted. */
export function paceSellers(ledger: Ledger, sellers: readonly string[], moment: Moment): LedgerStep<Waits> {
  const paces = sellers.map((seller) => countChange(findPace(ledger, seller), seller, moment))
  return {
    // The first change within an hour takes no row: its time is that of the change.
    changes: { paces: paces.filter(({ recent }) => recent > 1), forgetPaces: moment.now - HOUR },
    answer: new Map(paces.map((pace) => [pace.seller, findWait(pace, moment.settings)])),
  }
}

/** Sellers whose changes wait longer than others', the most frequent first. */
export function listOften(
  ledger: Pick<Ledger, 'listPaces'>,
  { now, settings }: Pick<Moment, 'now' | 'settings'>,
  limit: number,
): readonly { readonly seller: string; readonly changes: number; readonly wait: number }[] {
  return ledger.listPaces(limit).flatMap(({ seller, at, recent }) => {
    const left = fade(recent, now - at)
    const wait = findWait({ recent: left }, settings)
    return wait > settings.quiet ? [{ seller, changes: Math.round(left), wait }] : []
  })
}

function findPace(ledger: Ledger, seller: string): Pace | null {
  const changed = ledger.findChange(seller)
  return ledger.findPace(seller) ?? (changed === null ? null : { seller, at: changed, recent: 1 })
}

/** A change that comes at once after another counts as a part of one: the two are rendered together. */
function countChange(before: Pace | null, seller: string, { now, settings: { quiet } }: Moment): Pace {
  if (before === null) return { seller, at: now, recent: 1 }
  const passed = Math.max(0, now - before.at)
  const counted = passed < quiet ? passed / quiet : 1
  return { seller, at: now, recent: Math.min(MOST, fade(before.recent, passed) + counted) }
}

/** Lets a count decay, so that changes at an even pace settle at their number in an hour. */
function fade(recent: number, passed: number): number {
  return recent * Math.max(0, 1 - passed / HOUR)
}

function findWait(
  { recent }: Pick<Pace, 'recent'>,
  { quiet, sellerQuiet }: Pick<CoordinatorSettings, 'quiet' | 'sellerQuiet'>,
): number {
  const grown = quiet * 2 ** (Math.max(0, recent - FREE) / DOUBLING)
  return Math.max(quiet, Math.min(Math.round(grown), sellerQuiet))
}
