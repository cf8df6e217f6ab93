/** Formats the steps of a build of pending sellers for the terminal. */
import { cleanText } from '../../../domain/documents/text.ts'
import { formatCount } from '../../format-numbers.ts'
import type { NamedSellers, PendingStep } from './build-pending.ts'

/** Printed after a build that is not published. Visitors still get the previous version. */
export const UNPUBLISHED = 'NOT published, so the sellers stay pending: add --deploy to publish'

/** Returns lines to print. Returns no line for the rebuild itself, which has a separate report. */
export function formatStep(step: PendingStep): readonly string[] {
  if (step.kind === 'claimed') return [`  claimed     ${formatNamed(step.named)}`]
  if (step.kind === 'published') return step.lines.map(cleanText)
  if (step.kind === 'unpublished') return [`  reported    ${UNPUBLISHED}`]
  if (step.kind === 'reported') return [`  reported    ${formatReported(step.pending)}`]
  return []
}

export function formatNamed(named: NamedSellers): string {
  if (named === 'all') return 'everything'
  return named.length === 0 ? 'nothing: no change waits' : formatCount(named.length, 'seller')
}

function formatReported(pending: number | null): string {
  if (pending === null)
    return 'too late, because the lease had ended: the next build builds the same sellers again'
  return pending === 0
    ? 'nothing waits now'
    : `${formatCount(pending, 'seller')} ${pending === 1 ? 'waits' : 'wait'} now`
}
