/** Who answers the visitor: one owner at a time, so that nothing is done twice when React takes over. */
import type { View } from '../../domain/catalogue/view.ts'
import { answerShares } from './share-product.ts'
import { findSearchBox } from './show-view.ts'
import { readView } from './view-address.ts'

export const NEW_OWNER = 'vitrina:new-owner'

/**
 * Ends the owner before and tells the new one each wish of the visitor, first the present one.
 * The filter buttons are left to the owner; aborting ends it.
 */
export function answerVisitor(choose: (change: Partial<View>) => void): AbortController {
  dispatchEvent(new Event(NEW_OWNER))
  const owner = new AbortController()
  const { signal } = owner
  addEventListener(NEW_OWNER, () => owner.abort(), { signal })
  for (const moved of ['popstate', 'pageshow']) addEventListener(moved, () => arrive(choose), { signal })
  addEventListener('DOMContentLoaded', () => choose({}), { signal })
  followSearchBox(choose, signal)
  answerShares(signal)
  choose(readWish())
  return owner
}

/** The browser could not go to a product that was hidden until now. */
function arrive(choose: (change: Partial<View>) => void): void {
  const target = document.getElementById(location.hash.slice(1))
  const wasHidden = target?.getClientRects().length === 0
  choose(readView())
  if (wasHidden) target.scrollIntoView()
}

/** What was typed before anyone listened counts as well. */
function readWish(): View {
  const view = readView()
  return { ...view, query: findSearchBox()?.value || view.query }
}

function followSearchBox(choose: (change: Partial<View>) => void, signal: AbortSignal): void {
  const box = findSearchBox()
  box?.addEventListener('input', () => choose({ query: box.value }), { signal })
  const putKeyboardAway = (event: Event): void => {
    event.preventDefault()
    box?.blur()
  }
  // The list is already narrowed: there is nothing to send.
  box?.form?.addEventListener('submit', putKeyboardAway, { signal })
}
