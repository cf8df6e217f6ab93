/** Reads the cards of a catalogue and moves them. The name of each card is read once, for the first search. */
import type { SearchText } from '../../domain/catalogue/search.ts'
import { createSearchText } from '../../domain/catalogue/search.ts'
import type { Order, ViewedProduct } from '../../domain/catalogue/view.ts'
import { EVERYTHING, orderProducts } from '../../domain/catalogue/view.ts'
import { PRODUCT_NAME } from '../../domain/pages/paths.ts'
import { isLoading } from './is-loading.ts'

export type Card = ViewedProduct & {
  readonly element: HTMLElement
  /** Position by name, from 1. */
  readonly position: number
}

const known = new WeakMap<HTMLElement, Card>()

/** In the order of the document. */
export function readCards(): readonly Card[] {
  const elements = document.querySelectorAll<HTMLElement>('[data-product]')
  return [...elements].map((element) => known.get(element) ?? readCard(element))
}

/**
 * Moves the cards themselves, so that reading and keyboard order follow what is seen. The list records its order for
 * the next owner. The card with the focus stays where it is, and the others move around it. Returns the cards in the new
 * order. While the page is loading, cards arrive in the order of their names, and none moves.
 */
export function arrangeCards(cards: readonly Card[], order: Order): readonly Card[] {
  const list = cards[0]?.element.parentElement
  const isArranged = !list || (list.dataset['order'] ?? EVERYTHING.order) === order
  if (isArranged || isLoading()) return cards
  list.dataset['order'] = order
  const named = [...cards].sort((a, b) => a.position - b.position)
  const arranged = orderProducts(named, order)
  const elements = arranged.map(({ element }) => element)
  const focused = elements.findIndex((element) => element.contains(document.activeElement))
  elements[focused]?.before(...elements.slice(0, focused))
  list.append(...elements.slice(focused + 1))
  return arranged
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
