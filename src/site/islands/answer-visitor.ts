/** Handles the visitor's input. Only one owner is active, so that no input is handled twice when React takes over. */
import type { View } from '../../domain/catalogue/view.ts'
import { PRODUCT_GONE } from '../../domain/messages.ts'
import { say } from './message-line.ts'
import { answerShares } from './share-product.ts'
import { findSearchBox } from './show-view.ts'
import { forgetLostProduct, readView } from './view-address.ts'

export const NEW_OWNER = 'vitrina:new-owner'

/** Milliseconds to read a message that comes while the page is still being looked at for the first time. */
const LONG = 15_000

/**
 * Aborts the previous owner, then calls `choose` with the current view and with each later change.
 * The owner handles the filter buttons itself. Aborting the returned controller ends the ownership.
 */
export function answerVisitor(choose: (change: Partial<View>) => void): AbortController {
  dispatchEvent(new Event(NEW_OWNER))
  const owner = new AbortController()
  const { signal } = owner
  addEventListener(NEW_OWNER, () => owner.abort(), { signal })
  for (const moved of ['DOMContentLoaded', 'popstate', 'pageshow'])
    addEventListener(moved, () => arrive(choose), { signal })
  followSearchBox(choose, signal)
  answerShares(signal)
  reportLostProduct()
  choose(readWish())
  return owner
}

/** Scrolls to the product in the address if it was hidden when the browser navigated. */
function arrive(choose: (change: Partial<View>) => void): void {
  const target = document.getElementById(location.hash.slice(1))
  const wasHidden = target?.getClientRects().length === 0
  reportLostProduct()
  choose(readView())
  if (wasHidden) target.scrollIntoView()
}

function reportLostProduct(): void {
  if (forgetLostProduct()) say(PRODUCT_GONE, LONG)
}

/** Includes text typed before a listener was attached. */
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
  // The list is already filtered, so submitting only hides the keyboard.
  box?.form?.addEventListener('submit', putKeyboardAway, { signal })
}
