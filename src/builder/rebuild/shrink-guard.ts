/** Refuses a change that removes a large part of the site, since it is more likely a fault of the source. */
import { isLargeShare, isTooMuch } from '../../domain/objects/large-share.ts'
import type { Change, Totals } from '../state/snapshot/snapshot.ts'

/** The change removes too much. The snapshot keeps its state. */
export class ShrinkError extends Error {
  override readonly name = 'ShrinkError'
}

const NAMES: Readonly<Record<keyof Totals, string>> = {
  sellers: 'sellers',
  profiles: 'profiles',
  products: 'products',
}

/** Throws a `ShrinkError` that says what the change would remove. Returns whether it was accepted only by leave. */
export function checkShrink(change: Change, isAllowed: boolean): boolean {
  const problem = findProblem(change)
  if (problem === null || isAllowed) return problem !== null
  throw new ShrinkError(`${problem} Nothing was changed. If this is right, run again with --allow-shrink.`)
}

function findProblem({ before, gone, after, pricesGone }: Change): string | null {
  if (after.sellers === 0) return 'The source has no sellers.'
  const parts = (['sellers', 'profiles', 'products'] as const)
    .filter((name) => isTooMuch(gone[name], before[name]))
    .map((name) => `${gone[name]} of ${before[name]} ${NAMES[name]}`)
  // A product whose document became invalid is gone; the two together are one fault of the source.
  if (pricesGone > 0 && isLargeShare(gone.products + pricesGone, before.products))
    parts.push(`prices of ${pricesGone} of ${before.products} products`)
  return parts.length === 0 ? null : `This change would remove ${parts.join(', ')}.`
}
