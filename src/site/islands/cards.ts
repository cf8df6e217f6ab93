/** Reads the cards of a catalogue and moves them. The name of each card is read once, for the first search. */
import type { SearchText } from '../../domain/catalogue/search.ts'
import { createSearchText } from '../../domain/catalogue/search.ts'
import type { Order, ViewedProduct } from '../../domain/catalogue/view.ts'
import { EVERYTHING, orderProducts } from '../../domain/catalogue/view.ts'
import { PRODUCT_NAME } from '../../domain/pages/paths.ts'
import { isLoading } from './is-loading.ts'
import type { Place } from './reveal.ts'
import { isMoving } from './reveal.ts'

export type Card = ViewedProduct & {
  readonly element: HTMLElement
  /** Position by name, from 1. */
  readonly position: number
}

const known = new WeakMap<HTMLElement, Card>()
let presentOrder = EVERYTHING.order

/** In this order, wherever the cards are now. */
export function readCards(order: Order): readonly Card[] {
  const elements = document.querySelectorAll<HTMLElement>('[data-product]')
  const cards = [...elements].map((element) => known.get(element) ?? readCard(element))
  return orderProducts(
    cards.sort((a, b) => a.position - b.position),
    order,
  )
}

/**
 * Returns what moves each card to its place; nothing if they are there. So reading and keyboard order follow what is
 * seen. The cards are hidden before: moving what is laid out takes many times as long. The card with the focus stays
 * where it is, and the others move around it. While the page is loading, cards arrive in the order of their names, and
 * none moves.
 */
export function arrangeCards(cards: readonly Card[], order: Order): Place | undefined {
  if (isLoading() || (order === presentOrder && !isMoving())) return undefined
  presentOrder = order
  let anchor = document.activeElement?.closest('.card') ?? null
  for (const { element } of cards) element.hidden = element !== anchor
  return (element) => {
    if (element === anchor) anchor = null
    else element.parentElement?.insertBefore(element, anchor)
  }
}

function readCard(element: HTMLElement): Card {
  const { dataset } = element
  const heading = element.querySelector('h2')
  let text: SearchText | undefined
  const card: Card = {
    element,
    position: Number(heading?.id.slice(PRODUCT_NAME.length)),
    get text() {
      return (text ??= createSearchText(heading?.textContent ?? ''))
    },
    // Views treat a price of 0 as none.
    price: Number(dataset['price']) || null,
    available: 'available' in dataset,
    decants: { '5ml': '5ml' in dataset, '10ml': '10ml' in dataset },
  }
  // The last card may be incomplete while the page is loading.
  if (!isLoading() || element.nextElementSibling) known.set(element, card)
  return card
}
