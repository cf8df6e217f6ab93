/** Reads the cards of a catalogue and moves them. A card's name is read when it is first needed, and then cached. */
import type { SearchText } from '../../../domain/catalogue/search.ts'
import { createSearchText } from '../../../domain/catalogue/search.ts'
import type { Order, ViewedProduct } from '../../../domain/catalogue/view.ts'
import { EVERYTHING, orderProducts } from '../../../domain/catalogue/view.ts'
import { find } from '../find.ts'
import { isLoading } from '../is-loading.ts'
import type { CardPlace } from './reveal.ts'
import { isMoving } from './reveal.ts'

export type Card = ViewedProduct & { readonly element: HTMLElement }

/** The cards that have arrived completely, in the order of their arrival. */
let known: readonly Card[] = []
let presentOrder = EVERYTHING.order

/** Returns the cards sorted by `order`, whatever their places in the document. */
export function readCards(order: Order): readonly Card[] {
  const elements = [...document.querySelectorAll<HTMLElement>('.card')]
  const cards = [...known, ...elements.slice(known.length).map(readCard)]
  // While the page is loading, the last card may be incomplete, so the next call reads it again.
  known = isLoading() ? cards.slice(0, -1) : cards
  return orderProducts(cards, order)
}

/**
 * Returns the function that moves a card to its place in this order; `undefined` if no card needs to move, or while the
 * page is loading. Elements are moved, so that reading and keyboard order equal the visible order. They move from the
 * old list, which is hidden as a whole, to a new list before it, because moving cards within a visible list takes many
 * times as long.
 */
export function arrangeCards(order: Order): CardPlace | undefined {
  const old = find('main ul')
  if (!old || isLoading() || (order === presentOrder && !isMoving())) return undefined
  presentOrder = order
  const list = old.cloneNode()
  const focused = document.activeElement
  old.before(list)
  old.hidden = true
  return (card) => {
    list.appendChild(card)
    // Restores the focus, because a moved card loses it.
    if (card.contains(focused)) (focused as HTMLElement).focus({ preventScroll: true })
  }
}

function readCard(element: HTMLElement): Card {
  const { dataset } = element
  let text: SearchText | undefined
  return {
    element,
    get text() {
      return (text ??= createSearchText(element.querySelector('h2')?.textContent ?? ''))
    },
    // A price of 0 means that there is no price.
    price: Number(dataset['price']) || null,
    available: 'available' in dataset,
    decants: { '5ml': '5ml' in dataset, '10ml': '10ml' in dataset },
  }
}
