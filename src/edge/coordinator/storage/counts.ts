/**
 * Counts over all rows of sellers. They are part of the standing, so that no query has to scan all rows. When a row is
 * written, each sum loses what the old row added to it and gains what the new row adds. The counts are stored with the
 * standing at the end of the transaction.
 */
import type { FeedRow } from '../feed-row.ts'
import type { Stored } from '../ledger.ts'

/**
 * Sums over all rows. `due` and `later` count sellers whose last change waits for a builder and has not failed there:
 * `due` counts changes after the sequence `published`, and `later` counts changes after the sequence `claimed`.
 * `failing` counts sellers whose page fails.
 */
export const SUMS = ['due', 'later', 'failing'] as const

export type Counted = Readonly<Record<string, number>>

/** Returns what one row adds to the counts; `null` adds nothing. */
export function countFeedRow(
  row: FeedRow | null,
  { published, claimed }: Pick<Stored, 'published' | 'claimed'>,
): Counted {
  if (row === null) return {}
  const isFailing = row.failure !== null
  return {
    due: Number(!isFailing && row.changed > published),
    later: Number(!isFailing && row.changed > claimed),
    failing: Number(isFailing),
  }
}

/**
 * Returns the counts after a row was replaced. `before` and `after`: what the old row and the new row add to the
 * counts.
 */
export function addCounts(counts: Counted, before: Counted, after: Counted): Counted {
  const at = (counted: Counted, name: string): number => counted[name] ?? 0
  return Object.fromEntries(SUMS.map((name) => [name, at(counts, name) + at(after, name) - at(before, name)]))
}
