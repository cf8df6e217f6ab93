/** Refuses a change that removes a large part of the site, since it is more likely a fault of the source. */
import type { Change, Totals } from '../state/snapshot/snapshot.ts'

const MAX_SHARE = 0.2
const MAX_COUNT = 10

/** The change removes too much. The snapshot keeps its state. */
export class ShrinkError extends Error {
  override readonly name = 'ShrinkError'
}

const NAMES: Readonly<Record<keyof Totals, string>> = {
  sellers: 'sellers',
  profiles: 'profiles',
  products: 'products',
}

/** Throws a `ShrinkError` that says what the change would remove. */
export function checkShrink({ before, gone, after, pricesGone }: Change, isAllowed: boolean): void {
  if (isAllowed) return
  const advice = 'Nothing was changed. If this is right, run again with --allow-shrink.'
  if (after.sellers === 0) throw new ShrinkError(`The source has no sellers. ${advice}`)
  const parts = (['sellers', 'profiles', 'products'] as const)
    .filter((name) => isMuch(gone[name], before[name]))
    .map((name) => `${gone[name]} of ${before[name]} ${NAMES[name]}`)
  // A product whose document became invalid is gone; the two together are one fault of the source.
  if (pricesGone > 0 && isMuch(gone.products + pricesGone, before.products))
    parts.push(`prices of ${pricesGone} of ${before.products} products`)
  if (parts.length > 0) throw new ShrinkError(`This change would remove ${parts.join(', ')}. ${advice}`)
}

function isMuch(count: number, total: number): boolean {
  return count > MAX_COUNT && count > total * MAX_SHARE
}
