/** Applies a view to the document. Stateless and idempotent. */
import type { View } from '../../domain/catalogue/view.ts'
import { isFound, isSeen } from '../../domain/catalogue/view.ts'
import { formatProductCount } from '../../domain/messages.ts'

export function showView(view: View): void {
  showChoice(view)
  const cards = document.querySelectorAll<HTMLElement>('[data-product]')
  const seen = showCards(cards, view)
  // While the page is loading, the count would be wrong, and screen readers would announce it.
  if (document.readyState !== 'loading') showResult(view, seen, cards.length)
}

export function findSearchBox(): HTMLInputElement | null {
  return document.querySelector('input[type=search]')
}

/** Style sheets apply the filter, so that it covers cards that arrive later. */
function showChoice({ filter, query }: View): void {
  document.documentElement.dataset['filter'] = filter
  const box = findSearchBox()
  if (box !== null && box.value !== query) box.value = query
}

function showCards(cards: Iterable<HTMLElement>, view: View): number {
  let seen = 0
  for (const card of cards) {
    const name = card.querySelector('h2')?.textContent ?? ''
    card.hidden = !isFound(view.query, name)
    if (isSeen(view, name, 'available' in card.dataset)) seen += 1
  }
  return seen
}

function showResult(view: View, seen: number, all: number): void {
  const status = document.querySelector('[role=status]')
  const text = formatProductCount(seen, view.filter, view.query)
  if (status !== null && status.textContent !== text) status.textContent = text
  const nothing = document.querySelector<HTMLElement>('[data-nothing]')
  if (nothing !== null) nothing.hidden = seen > 0 || all === 0
}
