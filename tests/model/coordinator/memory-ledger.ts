/** The coordinator's ledger in memory, for stories that need no database. */
import type { CoordinatorState, FeedRow, Ledger } from '../../../src/edge/coordinator/ledger.ts'
import { createState } from '../../../src/edge/coordinator/ledger.ts'

export function createMemoryLedger(now: number): Ledger {
  let state: CoordinatorState = createState(now)
  const rows = new Map<string, FeedRow>()
  const list = (isListed: (row: FeedRow) => boolean): readonly FeedRow[] =>
    [...rows.values()].filter(isListed)
  const isFailed = ({ failed }: FeedRow): boolean => failed !== null
  const findLeast = (values: readonly number[]): number | null =>
    values.length === 0 ? null : Math.min(...values)
  return {
    read: () => state,
    update: (changes) => void (state = { ...state, ...changes }),
    isLarger: (limit) => rows.size > limit,
    findWaiting: (after) => {
      const waiting = list(({ changed }) => changed > after).map(({ changed }) => changed)
      return { count: waiting.length, oldest: findLeast(waiting) }
    },
    addChange: (seller, changed) => {
      const known = rows.get(seller) ?? { seller, failed: null, tries: 0, next: 0 }
      rows.set(seller, { ...known, changed })
    },
    listSellers: (have, time, limit) =>
      list((row) => row.changed > have || (isFailed(row) && row.next <= time))
        .map(({ seller }) => seller)
        .slice(0, limit),
    findFailing: () => {
      const failing = list(isFailed).map(({ next }) => next)
      return { count: failing.length, next: findLeast(failing) }
    },
    listFailed: (limit) => list(isFailed).slice(0, limit),
    takeFailures: (upTo) => {
      const failed = list((row) => isFailed(row) && row.changed <= upTo)
      for (const row of failed) rows.set(row.seller, { ...row, failed: null, tries: 0, next: 0 })
      return failed
    },
    findRow: (seller) => rows.get(seller) ?? null,
    putRow: (row) => void rows.set(row.seller, row),
    clear: () => rows.clear(),
  }
}
