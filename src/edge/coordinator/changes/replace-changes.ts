/** Replaces changes by what became of them, and counts on. Pure. */
import type { Change, ChangeChanges, ChangeStanding } from './change-records.ts'

export interface Replacement {
  readonly before: Change | null
  /** `null`: it is answered. */
  readonly after: Change | null
}

/** Nothing that is in the way of changes outlasts the last of them. */
export function replaceChanges(
  standing: ChangeStanding,
  replacements: readonly Replacement[],
): Required<ChangeChanges> {
  const count = (of: (change: Change | null) => number): number =>
    replacements.reduce((sum, { before, after }) => sum + of(after) - of(before), 0)
  const waiting = standing.waiting + count((change) => (change === null || change.phase === 'large' ? 0 : 1))
  const sent = standing.sent + count((change) => (change?.lease ? 1 : 0))
  const trouble = waiting === 0 ? null : standing.trouble
  return {
    kept: replacements.flatMap(({ after }) => after ?? []),
    answered: replacements.flatMap(({ before, after }) => (after === null ? (before?.name ?? []) : [])),
    standing: { ...standing, waiting, sent, trouble },
  }
}
