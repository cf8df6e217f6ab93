/**
 * Counts over all rows of sellers and objects. They are part of the standing, so that no query has to scan all rows.
 * When a row is written, each sum loses what the old row added to it and gains what the new row adds. The counts are
 * stored with the standing at the end of the transaction.
 */
import type { FeedRow } from '../feed-row.ts'
import type { Stored } from '../ledger.ts'
import type { ObjectRow, ObjectTotals } from '../objects/object-row.ts'
import { DIMENSIONS, NOTHING } from '../objects/object-row.ts'

const PARTS = ['', 'before_', 'lost_'] as const

/**
 * Sums over all rows. `due` and `later` count sellers whose last change waits for a builder and has not failed there:
 * `due` counts changes after the sequence `published`, and `later` counts changes after the sequence `claimed`.
 * `failing` counts sellers whose page fails. `refusals` counts objects whose removal is refused. The `all_` sums add up
 * the counts of objects: their own, those from before their losses, and the losses.
 */
export const SUMS: readonly string[] = [
  'due',
  'later',
  'failing',
  'refusals',
  ...PARTS.flatMap((part) => DIMENSIONS.map((one) => `all_${part}${one}`)),
]

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

export function countObjectRow(row: ObjectRow | null): Counted {
  if (row === null) return {}
  const parts: Readonly<Record<(typeof PARTS)[number], ObjectTotals>> = {
    '': row,
    before_: row.loss?.before ?? row,
    lost_: row.loss?.lost ?? NOTHING,
  }
  const sums = PARTS.flatMap((part) =>
    DIMENSIONS.map((one) => [`all_${part}${one}`, parts[part][one]] as const),
  )
  return { refusals: Number(row.removal?.until === 0), ...Object.fromEntries(sums) }
}

/**
 * Returns the counts after a row was replaced. `before` and `after`: what the old row and the new row add to the
 * counts.
 */
export function addCounts(counts: Counted, before: Counted, after: Counted): Counted {
  const at = (counted: Counted, name: string): number => counted[name] ?? 0
  return Object.fromEntries(SUMS.map((name) => [name, at(counts, name) + at(after, name) - at(before, name)]))
}
