/** Applies a `View` to the document. Idempotent, because the current state is read from the document. */
import type { Filter, FilterCounts, View } from '../../../domain/catalogue/view.ts'
import { countFiltered, EVERYTHING, FILTERS, isKept } from '../../../domain/catalogue/view.ts'
import { formatProductCount } from '../../../domain/messages.ts'
import type { Card } from './cards.ts'
import { arrangeCards, readCards } from './cards.ts'
import { find } from '../find.ts'
import { isLoading } from '../is-loading.ts'
import type { WaitingCard } from './reveal.ts'
import { reveal } from './reveal.ts'
import { findSelect, SELECTS } from './selects.ts'
import type { ShownView } from '../../stores/shown-view.ts'

/** Shows the cards of the `View`. Returns how many cards each filter would show. */
export function showView(view: View, isFound: (card: Card) => boolean): FilterCounts {
  fill(findSearchBox(), view.query)
  for (const part of SELECTS) fill(findSelect(part), view[part])
  const counts = showCards(view, isFound)
  // While the page is loading, the count would be wrong, and screen readers would announce it.
  if (!isLoading()) showResult(view, counts[view.filter])
  return counts
}

/** Shows the chosen values in the controls, as `FilterBar.tsx` does once it is hydrated. */
export function showControls({ view, counts }: ShownView): void {
  for (const filter of FILTERS) {
    const button = findFilter(filter)
    button?.setAttribute('aria-pressed', `${filter === view.filter}`)
    if (!isLoading()) setText(button?.lastElementChild, `${counts[filter]}`)
  }
  for (const part of SELECTS) {
    const select = findSelect(part)
    const name =
      view[part] === EVERYTHING[part] ? select?.getAttribute('aria-label') : select?.selectedOptions[0]?.text
    setText(select?.previousElementSibling, name ?? '')
  }
}

export function findSearchBox(): HTMLInputElement | null {
  return find('input')
}

export function findFilter(filter: Filter): HTMLButtonElement | null {
  return find(`button[value=${filter}]`)
}

/**
 * Sets the value only if it differs, because setting an equal value could disturb an input method or an open select.
 */
function fill(control: HTMLInputElement | HTMLSelectElement | null, value: string): void {
  if (control && control.value !== value) control.value = value
}

/**
 * Without a new order, changes only cards whose state differs. Hiding cards by CSS that depends on an attribute of the
 * document would make the browser check every card.
 */
function showCards(view: View, isFound: (card: Card) => boolean): FilterCounts {
  const cards = readCards(view.order)
  const place = arrangeCards(view.order)
  const unfiltered = { ...view, filter: EVERYTHING.filter }
  const waiting: WaitingCard[] = []
  const matches: Card[] = []
  for (const card of cards) {
    const { element } = card
    const isMatch = isKept(unfiltered, card) && isFound(card)
    if (isMatch) matches.push(card)
    const isSeen = isMatch && isKept(view, card)
    if (place || (isSeen && element.hidden)) waiting.push({ element, isSeen })
    else if (!isSeen && !element.hidden) element.hidden = true
  }
  reveal(waiting, place)
  return countFiltered(matches)
}

function showResult(view: View, seen: number): void {
  setText(find('[role=status]'), formatProductCount(seen, view))
  const nothing = find('[data-nothing]')
  if (nothing) nothing.hidden = seen > 0
}

/** Sets the text only if it differs, because screen readers would announce an equal text again. */
function setText(element: Element | null | undefined, text: string): void {
  if (element && element.textContent !== text) element.textContent = text
}
