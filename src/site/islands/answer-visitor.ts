/** Handles the visitor's input. Only one owner is active, so that no input is handled twice when React takes over. */
import type { View } from '../../domain/catalogue/view.ts'
import { EVERYTHING } from '../../domain/catalogue/view.ts'
import { PRODUCT_GONE } from '../../domain/messages.ts'
import { say } from './message-line.ts'
import { answerShares } from './share-product.ts'
import { readSelects } from './selects.ts'
import { findSearchBox } from './show-view.ts'
import { forgetLostProduct, readView } from './view-address.ts'

export const NEW_OWNER = 'vitrina:new-owner'

type Choose = (change: Partial<View>) => void

/**
 * Aborts the previous owner, then calls `choose` with the current view and with each later change.
 * The owner handles the filter buttons and the selects itself. Aborting the returned controller ends the ownership.
 */
export function answerVisitor(choose: Choose): AbortController {
  dispatchEvent(new Event(NEW_OWNER))
  const owner = new AbortController()
  const { signal } = owner
  addEventListener(NEW_OWNER, () => owner.abort(), { signal })
  for (const moved of ['DOMContentLoaded', 'popstate', 'pageshow'])
    addEventListener(moved, () => arrive(choose), { signal })
  followSearchBox(choose, signal)
  answerShowEverything(choose, signal)
  answerShares(signal)
  reportLostProduct()
  choose(readWish())
  searchArrivals(choose, signal)
  return owner
}

/** Scrolls to the product in the address if it appears or moves after the browser has navigated. */
function arrive(choose: Choose): void {
  const target = document.getElementById(location.hash.slice(1))?.closest('[data-product]')
  const readTop = (): number | undefined => target?.getClientRects()[0]?.top
  const before = readTop()
  reportLostProduct()
  choose(readView())
  if (readTop() !== before) target?.scrollIntoView()
}

function reportLostProduct(): void {
  if (forgetLostProduct()) say(PRODUCT_GONE)
}

/** Includes what was typed or selected before a listener was attached. */
function readWish(): View {
  const view = readView()
  const { decants, order } = readSelects()
  return {
    ...view,
    decants: decants === EVERYTHING.decants ? view.decants : decants,
    order: order === EVERYTHING.order ? view.order : order,
    query: findSearchBox()?.value || view.query,
  }
}

function followSearchBox(choose: Choose, signal: AbortSignal): void {
  const box = findSearchBox()
  box?.addEventListener('input', () => choose({ query: box.value }), { signal })
  const putKeyboardAway = (event: Event): void => {
    event.preventDefault()
    box?.blur()
  }
  // The list is already filtered, so submitting only hides the keyboard.
  box?.form?.addEventListener('submit', putKeyboardAway, { signal })
}

/** The search covers cards that arrive after it. */
function searchArrivals(choose: Choose, signal: AbortSignal): void {
  if (document.readyState !== 'loading') return
  const arriving = new MutationObserver(() => {
    if (findSearchBox()?.value) choose({})
  })
  arriving.observe(document, { childList: true, subtree: true })
  const stop = (): void => arriving.disconnect()
  addEventListener('DOMContentLoaded', stop, { signal })
  signal.addEventListener('abort', stop)
}

/** The button disappears with its line, so the focus moves to the filter that shows everything. */
function answerShowEverything(choose: Choose, signal: AbortSignal): void {
  const answer = ({ target }: Event): void => {
    if (!(target instanceof Element) || target.closest('[data-nothing] button') === null) return
    choose(EVERYTHING)
    document.querySelector<HTMLElement>(`button[value=${EVERYTHING.filter}]`)?.focus()
  }
  addEventListener('click', answer, { signal })
}
