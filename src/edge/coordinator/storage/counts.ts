/**
 * Counts over all rows of sellers and objects. They are part of the standing, so that no query has to scan all rows.
 * When a row is written, each sum loses what the old row added to it and gains what the new row adds; a maximum only
 * grows. The counts are stored with the standing at the end of the transaction.
 */
import type { FeedRow, SetbackKind } from '../feed-row.ts'
import { isOpen } from '../feed-row.ts'
import type { Stored } from '../ledger.ts'
import type { ObjectRow, ObjectTotals } from '../objects/object-row.ts'
import { DIMENSIONS, NOTHING } from '../objects/object-row.ts'

const KINDS: readonly SetbackKind[] = ['failed', 'held', 'large', 'broken']
const PARTS = ['', 'before_', 'lost_'] as const

/**
 * Sums over all rows. `due` and `later` count sellers whose last change waits for a builder and has not failed there:
 * `due` counts changes after the sequence `published`, and `later` counts changes after the sequence `claimed`.
 * `waiting` counts unfinished changes that the Worker itself renders. `refusals` counts objects whose removal is
 * refused. Each kind of setback counts the rows that have it. The `all_` sums add up the counts of objects: their own,
 * those from before their losses, and the losses.
 */
export const SUMS: readonly string[] = [
  'due',
  'later',
  'waiting',
  'refusals',
  ...KINDS,
  ...PARTS.flatMap((part) => DIMENSIONS.map((one) => `all_${part}${one}`)),
]

/** Maxima over all rows: the sequence of the last change, and the times of the last notice and of the last put. */
export const GREATEST = ['last', 'noticed', 'put'] as const

export type Counted = Readonly<Record<string, number>>

/** Returns what one row adds to the counts; `null` adds nothing. */
export function countFeedRow(
  row: FeedRow | null,
  { published, claimed }: Pick<Stored, 'published' | 'claimed'>,
): Counted {
  if (row === null) return {}
  const isForBuilder = row.changed > row.done && (row.phase === null || row.phase === 'large')
  const kinds = KINDS.map((kind) => [kind, Number(row.setback?.kind === kind)] as const)
  return {
    due: Number(isForBuilder && row.changed > published),
    later: Number(isForBuilder && row.changed > claimed),
    waiting: Number(isOpen(row)),
    ...Object.fromEntries(kinds),
    last: row.changed,
    noticed: row.last,
    put: row.shown ?? 0,
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
  const sums = SUMS.map((name) => [name, at(counts, name) + at(after, name) - at(before, name)] as const)
  const greatest = GREATEST.map((name) => [name, Math.max(at(counts, name), at(after, name))] as const)
  return Object.fromEntries([...sums, ...greatest])
}
