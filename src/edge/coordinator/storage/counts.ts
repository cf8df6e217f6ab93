/**
 * Counts in the row of standing. Each written row adds its difference from the row that it
 * replaces. All counts are written at the end of the transaction, in one row with the standing.
 */
import type { FeedRow, SetbackKind } from '../feed-row.ts'
import { isOpen } from '../feed-row.ts'
import type { Stored } from '../ledger.ts'
import type { ObjectRow, ObjectTotals } from '../objects/object-row.ts'
import { DIMENSIONS, NOTHING } from '../objects/object-row.ts'

const KINDS: readonly SetbackKind[] = ['failed', 'held', 'large', 'broken']
const PARTS = ['', 'before_', 'lost_'] as const

/** Sums over all rows. `due`, `later`: sellers whose change after `published`, `claimed`, is for a builder. */
export const SUMS: readonly string[] = [
  'due',
  'later',
  'waiting',
  'refusals',
  ...KINDS,
  ...PARTS.flatMap((part) => DIMENSIONS.map((one) => `all_${part}${one}`)),
]

/** The greatest of all rows: last change, last notice, last put of an object. */
export const GREATEST = ['last', 'noticed', 'put'] as const

export type Counted = Readonly<Record<string, number>>

/** Returns the counts of one row; `null` counts nothing. */
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

/** Returns the counts after a row was replaced. */
export function addCounts(counts: Counted, before: Counted, after: Counted): Counted {
  const at = (counted: Counted, name: string): number => counted[name] ?? 0
  const sums = SUMS.map((name) => [name, at(counts, name) + at(after, name) - at(before, name)] as const)
  const greatest = GREATEST.map((name) => [name, Math.max(at(counts, name), at(after, name))] as const)
  return Object.fromEntries([...sums, ...greatest])
}
