/** Applies a view to the document. Idempotent; what it needs to know is in the document. */
import { createSearch } from '../../domain/catalogue/search.ts'
import type { View } from '../../domain/catalogue/view.ts'
import { isKept } from '../../domain/catalogue/view.ts'
import { formatProductCount } from '../../domain/messages.ts'
import type { Card } from './cards.ts'
import { arrangeCards, readCards } from './cards.ts'
import { findSelect, SELECTS } from './selects.ts'

export function showView(view: View): void {
  showChoice(view)
  const cards = readCards()
  const seen = showCards(cards, view)
  // While the page is loading, cards arrive in the order of their names. The count would be wrong, and screen readers
  // would announce it.
  if (document.readyState === 'loading') return
  arrangeCards(cards, view.order)
  showResult(view, seen, cards.length)
}

export function findSearchBox(): HTMLInputElement | null {
  return document.querySelector('input[type=search]')
}

/** Style sheets apply filter and decants, so that they cover cards that arrive later. */
function showChoice(view: View): void {
  const { dataset } = document.documentElement
  for (const part of ['filter', 'decants'] as const) {
    if (dataset[part] !== view[part]) dataset[part] = view[part]
  }
  fill(findSearchBox(), view.query)
  for (const part of SELECTS) fill(findSelect(part), view[part])
}

/** Setting the same value again could disturb an input method or an open select. */
function fill(control: HTMLInputElement | HTMLSelectElement | null, value: string): void {
  if (control !== null && control.value !== value) control.value = value
}

/** Returns the number of cards that are seen. Changes only cards whose state differs: a change is expensive. */
function showCards(cards: readonly Card[], view: View): number {
  const isFound = createSearch(view.query)
  let seen = 0
  for (const card of cards) {
    const found = isFound(card)
    if (card.element.hidden === found) card.element.hidden = !found
    if (found && isKept(view, card)) seen += 1
  }
  return seen
}

function showResult(view: View, seen: number, all: number): void {
  const status = document.querySelector('[role=status]')
  const text = formatProductCount(seen, view)
  if (status !== null && status.textContent !== text) status.textContent = text
  const nothing = document.querySelector<HTMLElement>('[data-nothing]')
  if (nothing !== null) nothing.hidden = seen > 0 || all === 0
}
