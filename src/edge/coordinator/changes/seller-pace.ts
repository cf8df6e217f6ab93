/**
 * Computes how long a change waits for further changes of the same seller: longer if the seller changed often in the
 * last hour. So a single seller neither keeps a builder busy nor delays the others.
 */
import type { CoordinatorSettings } from '../coordinator-settings.ts'
import type { FeedRow } from '../feed-row.ts'
import { fadePace } from '../feed-row.ts'
import type { Ledger, Moment } from '../ledger.ts'
import { OFTEN } from '../storage/tables.ts'

const HOUR = 60 * 60_000
/** Number of further changes that double the wait. */
const DOUBLING = 6
/**
 * Max value of the count of changes. The limit is low, because otherwise a very busy seller would still have the
 * longest wait after most of an hour without changes.
 */
const MOST = 72

/**
 * Returns a weighted count of the seller's changes in the last hour, at most `MOST`, including the present change,
 * which is not recorded yet. A change within `quiet` of the previous one counts as a fraction, because both are
 * rendered together.
 */
export function paceSeller(row: FeedRow | null, { now, settings: { quiet } }: Moment): number {
  if (row === null || row.changed === 0) return 1
  const passed = Math.max(0, now - row.changed)
  const counted = passed < quiet ? passed / quiet : 1
  return Math.min(MOST, fadePace(row.recent, passed) + counted)
}

/** Lists the sellers whose changes wait longer than `quiet`, the most frequent first. */
export function listOften(
  ledger: Pick<Ledger, 'listOften'>,
  { now, settings }: Pick<Moment, 'now' | 'settings'>,
  limit: number,
): readonly { readonly seller: string; readonly changes: number; readonly wait: number }[] {
  const paces = ledger.listOften(now - HOUR).map(({ seller, changed, recent }) => ({
    seller,
    left: fadePace(recent, now - changed),
  }))
  return paces
    .toSorted((a, b) => b.left - a.left)
    .map(({ seller, left }) => ({ seller, changes: Math.round(left), wait: findWait(left, settings) }))
    .filter(({ wait }) => wait > settings.quiet)
    .slice(0, limit)
}

export function findWait(
  recent: number,
  { quiet, sellerQuiet }: Pick<CoordinatorSettings, 'quiet' | 'sellerQuiet'>,
): number {
  const grown = quiet * 2 ** (Math.max(0, recent - OFTEN) / DOUBLING)
  return Math.max(quiet, Math.min(Math.round(grown), sellerQuiet))
}
