/** Handles the visitor's input, and passes each change of the `View` to one function. */
import type { View } from '../../../domain/catalogue/view.ts'
import { EVERYTHING, FILTERS, parseChoice } from '../../../domain/catalogue/view.ts'
import { PRODUCT_GONE } from '../../../domain/messages.ts'
import { find } from '../find.ts'
import { showFirstMatch } from './follow-scroll.ts'
import { say } from '../message-line.ts'
import { showWaiting } from './reveal.ts'
import { shareCard } from '../share-product.ts'
import { readSelects } from './selects.ts'
import { findFilter, findSearchBox } from './show-view.ts'
import { findAnchored, forgetLostProduct, readView } from './view-address.ts'

type Choose = (change: Partial<View>) => void

/**
 * Calls `choose` with the filters, sorting and query in the address, now and whenever they may have changed, and with
 * each choice of the visitor.
 */
export function answerVisitor(choose: Choose): void {
  for (const moved of ['DOMContentLoaded', 'popstate', 'pageshow', 'beforeprint'])
    addEventListener(moved, () => arrive(choose))
  followControls((change) => {
    choose(change)
    // Removes the message, because the change moves other content below it.
    say()
    showFirstMatch()
  })
  reportLostProduct()
  choose(readView())
  answerArrivals(choose)
}

/** Applies the `View` in the address. Scrolls to the product that the address names if its card appears or moves. */
function arrive(choose: Choose): void {
  const target = findAnchored()?.closest('.card')
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

function followControls(choose: Choose): void {
  followSearchBox(choose)
  addEventListener('change', ({ target }) => {
    if (target instanceof HTMLSelectElement) choose(readSelects())
  })
  answerTaps(choose)
}

function followSearchBox(choose: Choose): void {
  const box = findSearchBox()
  box?.addEventListener('input', () => choose({ query: box.value }))
  const putKeyboardAway = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    box?.blur()
  }
  // Enter only hides the keyboard, because the list is already filtered. The form is submitted only by the button that
  // searches all catalogues.
  box?.addEventListener('keydown', putKeyboardAway)
}

/** Applies the filters in the address to cards that arrive while the page is still loading. */
function answerArrivals(choose: Choose): void {
  const arriving = new MutationObserver(() => {
    if (location.search) choose({})
  })
  arriving.observe(document, { childList: true, subtree: true })
  addEventListener('DOMContentLoaded', () => arriving.disconnect())
}

function answerTaps(choose: Choose): void {
  addEventListener('click', ({ target }) => {
    const button = target instanceof Element && target.closest('button')
    if (!button) return
    if (button.closest('.filters')) choose({ filter: parseChoice(FILTERS, button.value) })
    else if (button.closest('[data-nothing]')) showEverything(choose)
    else if (button.closest('.share')) shareCard(button)
    // The script that adds to the order comes after the bar. It handles the marked buttons when it starts.
    else if (button.matches('.add') && !find('.order')) button.setAttribute('data-busy', '')
  })
}

/** Shows all cards. Moves the focus to the filter for all cards, because the clicked button disappears. */
function showEverything(choose: Choose): void {
  choose(EVERYTHING)
  findFilter(EVERYTHING.filter)?.focus()
}
