/** Replaces changes by what became of them, and counts on. Pure. */
import type { Change, ChangeChanges, ChangeStanding } from './change-records.ts'

export interface Replacement {
  readonly before: Change | null
  /** `null`: it is answered. */
  readonly after: Change | null
}

/** Whether it waits or is sent. */
function isOpen({ phase }: Change): boolean {
  return phase !== 'large' && phase !== 'absent'
}

/** Nothing that is in the way of changes outlasts the last of them. */
export function replaceChanges(
  standing: ChangeStanding,
  replacements: readonly Replacement[],
): Required<Omit<ChangeChanges, 'forgotten'>> {
  const count = (of: (change: Change | null) => number): number =>
    replacements.reduce((sum, { before, after }) => sum + of(after) - of(before), 0)
  const waiting = standing.waiting + count((change) => (change !== null && isOpen(change) ? 1 : 0))
  const sent = standing.sent + count((change) => (change?.phase === 'sent' ? 1 : 0))
  const trouble = waiting === 0 ? null : standing.trouble
  return {
    kept: replacements.flatMap(({ after }) => after ?? []),
    answered: replacements.flatMap(({ before, after }) => (after === null ? (before?.name ?? []) : [])),
    standing: { ...standing, waiting, sent, trouble },
  }
}
