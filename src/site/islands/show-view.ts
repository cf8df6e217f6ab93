/** Applies a view to the document. Idempotent; what it needs to know is in the document. */
import { createSearch } from '../../domain/catalogue/search.ts'
import type { Filter, View } from '../../domain/catalogue/view.ts'
import { isKept } from '../../domain/catalogue/view.ts'
import { formatProductCount } from '../../domain/messages.ts'
import type { Card } from './cards.ts'
import { arrangeCards, readCards } from './cards.ts'
import { find } from './find.ts'
import { isLoading } from './is-loading.ts'
import { reveal } from './reveal.ts'
import { findSelect, SELECTS } from './selects.ts'

export function showView(view: View, isFound = createSearch(view.query)): void {
  showChoice(view)
  const cards = arrangeCards(readCards(), view.order)
  const seen = showCards(cards, view, isFound)
  // While the page is loading, the count would be wrong, and screen readers would announce it.
  if (!isLoading()) showResult(view, seen, cards.length)
}

export function findSearchBox(): HTMLInputElement | null {
  return find('input[type=search]')
}

export function findFilter(filter: Filter): HTMLButtonElement | null {
  return find(`button[value=${filter}]`)
}

function showChoice(view: View): void {
  fill(findSearchBox(), view.query)
  for (const part of SELECTS) fill(findSelect(part), view[part])
}

/** Setting the same value again could disturb an input method or an open select. */
function fill(control: HTMLInputElement | HTMLSelectElement | null, value: string): void {
  if (control && control.value !== value) control.value = value
}

/**
 * Returns the number of cards that the view shows. Changes only cards whose state differs: an attribute of the document
 * would make the browser look at every card.
 */
function showCards(cards: readonly Card[], view: View, isFound: (card: Card) => boolean): number {
  const appearing: HTMLElement[] = []
  let seen = 0
  for (const card of cards) {
    const { element } = card
    const isSeen = isKept(view, card) && isFound(card)
    if (isSeen) seen += 1
    if (element.hidden !== isSeen) continue
    if (isSeen) appearing.push(element)
    else element.hidden = true
  }
  reveal(appearing)
  return seen
}

function showResult(view: View, seen: number, all: number): void {
  const status = find('[role=status]')
  const text = formatProductCount(seen, view)
  if (status && status.textContent !== text) status.textContent = text
  const nothing = find('[data-nothing]')
  if (nothing) nothing.hidden = seen > 0 || all === 0
}
