/**
 * Refuses a read that takes away a large part of the site, because a fault of the source is a more likely cause than an
 * intended removal. The one seller who loses most is not counted: she may empty her own shop.
 */
import type { SiteMarker } from '../../domain/wire/site-marker.ts'
import { isLargeShare } from '../../domain/work/large-share.ts'
import type { AppliedRead, Totals } from '../state/apply-read.ts'

/** The read would take away too much of the site, or leave nothing of it. Nothing was changed. */
export class ShrinkError extends Error {
  override readonly name = 'ShrinkError'
}

type Change = Pick<AppliedRead, 'before' | 'after' | 'loss'>

/**
 * Throws a `ShrinkError` if the change takes away too much from the state, or from the site. `marker` is that of the
 * site, if the site may be of another state; else `null`.
 */
export function checkShrink(read: Change, marker: SiteMarker | null, isAllowed: boolean): void {
  const changes = marker === null ? [read] : [read, compareMarker(read, marker)]
  for (const change of changes) checkChange(change, isAllowed)
}

function checkChange({ before, after, loss }: Change, isAllowed: boolean): void {
  if (after.sellers === 0 && before.sellers > 0)
    throw new ShrinkError(
      `The source has no sellers, and the site has ${before.sellers}. Nothing was changed: check CATALOGUE_SOURCE and what it names.`,
    )
  if (isAllowed) return
  if (after.products === 0 && before.products > 0)
    throw new ShrinkError(
      `The source has no products, and the site has ${before.products}. Nothing was changed. If the removal is intended, run again with --allow-shrink.`,
    )
  const names = (['sellers', 'products'] as const).filter((name) => isLargeShare(loss[name], before[name]))
  if (names.length === 0) return
  const parts = names.map((name) => `${loss[name]} of ${before[name]} ${name}`)
  throw new ShrinkError(
    `This change would remove ${parts.join(' and ')}, not counting the seller who loses most. Nothing was changed. If the removal is intended, run again with --allow-shrink.`,
  )
}

// Which sellers are gone is not known. The largest may be the one who loses most.
function compareMarker({ after }: Change, { sellers, products, largest }: SiteMarker): Change {
  const before = { sellers, products }
  const loss: Totals = {
    sellers: Math.max(0, sellers - after.sellers - 1),
    products: Math.max(0, products - after.products - largest),
  }
  return { before, after, loss }
}
