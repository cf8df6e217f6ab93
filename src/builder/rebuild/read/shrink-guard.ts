/**
 * Refuses a change that removes a large part of the site, because a fault of the source is a more likely cause than an
 * intended removal. If only one seller makes the change too large, only that seller's removals are held back, and all
 * other changes are published.
 */
import { isLargeShare, isTooMuch } from '../../../domain/work/large-share.ts'
import { formatCount } from '../../format-numbers.ts'
import { subtractLoss } from '../../state/snapshot/held-removals.ts'
import type { SnapshotChange, HeldRemoval, HoldRule, Loss, Totals } from '../../state/snapshot/snapshot.ts'

/** The change would remove too much of the site, or the source has no sellers. The snapshot is unchanged. */
export class ShrinkError extends Error {
  override readonly name = 'ShrinkError'
}

/** How long removals are held back, in milliseconds, so that there is time to check the source. */
export const HOLD_TIME = 24 * 60 * 60_000

/** With `isAllowed` (`--allow-shrink`), all removals are released and none are held back. */
export function createHoldRule(now: number, isAllowed: boolean): HoldRule {
  if (isAllowed) return { now, released: Number.MAX_SAFE_INTEGER, isHeld: () => false }
  return { now, released: now - HOLD_TIME, isHeld: isOfOneSeller }
}

/** Returns the time until which the removal is held back, in ISO 8601. */
export function formatHoldEnd({ since }: HeldRemoval): string {
  return new Date(since + HOLD_TIME).toISOString()
}

/** Returns a message that says which removals are held back, until when, and how to make them now. */
export function formatHeld(held: HeldRemoval): string {
  const count = formatCount(held.profiles + held.products, 'document')
  return `${count} that the source no longer has, or has without a price, are a large part of the site: their removal is held back until ${formatHoldEnd(held)}. To remove them now, run npm run rebuild -- --allow-shrink`
}

/** Returns whether the change removes too much only because of the seller who loses most. */
function isOfOneSeller(all: Loss, readLargest: () => Loss): boolean {
  const parts = findParts(all)
  if (parts.length === 0) return false
  const others = subtractLoss(all, readLargest())
  return findParts(others).length === 0 && parts.every(({ name }) => others.before[name] > 0)
}

/**
 * Throws a `ShrinkError` if the change removes too much or leaves no sellers, unless `isAllowed`. Returns true if the
 * change was accepted only because of `isAllowed`.
 */
export function checkShrink(change: SnapshotChange, isAllowed: boolean): boolean {
  const problem = findProblem(change)
  if (problem === null || isAllowed) return problem !== null
  throw new ShrinkError(
    `${problem} Nothing was changed. If the removal is intended, run again with --allow-shrink.`,
  )
}

function findProblem(change: SnapshotChange): string | null {
  const { before, gone, after } = change
  if (after.sellers === 0) return 'The source has no sellers that can be shown.'
  const sellers = isTooMuch(gone.sellers, before.sellers) ? [formatPart('sellers', gone, before)] : []
  const parts = [...sellers, ...findParts(change).map(({ words }) => words)]
  return parts.length === 0 ? null : `This change would remove ${parts.join(', ')}.`
}

interface Part {
  readonly name: keyof Loss['before']
  readonly words: string
}

/** Returns the kinds of items of which the change removes too many, with a text for each. */
function findParts({ before, gone, pricesGone }: Loss): readonly Part[] {
  const parts = (['profiles', 'products'] as const)
    .filter((name) => isTooMuch(gone[name], before[name]))
    .map((name): Part => ({ name, words: formatPart(name, gone, before) }))
  // Counts removed products and lost prices together, because one fault of the source may cause both: a product whose
  // document became invalid is removed.
  if (pricesGone === 0 || !isLargeShare(gone.products + pricesGone, before.products)) return parts
  return [...parts, { name: 'products', words: `prices of ${pricesGone} of ${before.products} products` }]
}

function formatPart<Name extends keyof Totals>(
  name: Name,
  gone: Pick<Totals, Name>,
  before: Pick<Totals, Name>,
): string {
  return `${gone[name]} of ${before[name]} ${name}`
}
