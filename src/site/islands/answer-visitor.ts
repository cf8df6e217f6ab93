/** Handles the visitor's input. Only one owner is active, so that no input is handled twice when React takes over. */
import type { View } from '../../domain/catalogue/view.ts'
import { EVERYTHING } from '../../domain/catalogue/view.ts'
import { PRODUCT_GONE } from '../../domain/messages.ts'
import { isLoading } from './is-loading.ts'
import { say } from './message-line.ts'
import { reveal, showWaiting } from './reveal.ts'
import { answerShares } from './share-product.ts'
import { readSelects } from './selects.ts'
import { findFilter, findSearchBox } from './show-view.ts'
import { findNamed, forgetLostProduct, readView } from './view-address.ts'

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
  const leave = (): void => {
    owner.abort()
    // The next owner shows the cards that wait.
    reveal([])
  }
  addEventListener(NEW_OWNER, leave, { signal })
  for (const moved of ['DOMContentLoaded', 'popstate', 'pageshow', 'beforeprint'])
    addEventListener(moved, () => arrive(choose), { signal })
  followSearchBox(choose, signal)
  answerShowEverything(choose, signal)
  answerShares(signal)
  reportLostProduct()
  choose(readWish())
  answerArrivals(choose)
  return owner
}

/** Scrolls to the product in the address if it appears or moves after the browser has navigated. */
function arrive(choose: Choose): void {
  const target = findNamed()?.closest('[data-product]')
  const readTop = (): number | undefined => target?.getClientRects()[0]?.top
  const before = readTop()
  reportLostProduct()
  choose(readView())
  showWaiting()
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
  const putKeyboardAway = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    box?.blur()
  }
  // The list is already filtered, so this key only hides the keyboard. The form's button searches all catalogues.
  box?.addEventListener('keydown', putKeyboardAway, { signal })
}

/** A view that the address has covers cards that arrive after it. React takes over once the page has loaded. */
function answerArrivals(choose: Choose): void {
  if (!isLoading()) return
  const arriving = new MutationObserver(() => {
    if (location.search) choose({})
  })
  arriving.observe(document, { childList: true, subtree: true })
  addEventListener('DOMContentLoaded', () => arriving.disconnect())
}

/** The button disappears with its line, so the focus moves to the filter that shows everything. */
function answerShowEverything(choose: Choose, signal: AbortSignal): void {
  const answer = ({ target }: Event): void => {
    if (!(target instanceof Element && target.closest('[data-nothing] button'))) return
    choose(EVERYTHING)
    findFilter(EVERYTHING.filter)?.focus()
  }
  addEventListener('click', answer, { signal })
}
