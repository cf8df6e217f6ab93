/** The dialog with the order's list. It is open while the page's address equals the address of the bar's link. */
import { ORDER } from '../../../domain/messages.ts'
import { reviewOrder } from '../../../domain/order/review-order.ts'
import { $order } from '../../stores/visitor-order.ts'
import { readPath, replaceAddress } from '../catalogue/view-address.ts'
import { find } from '../find.ts'
import { createElement } from './create-element.ts'
import type { OrderListContext } from './list-context.ts'
import { createNothingOrdered } from './nothing-ordered.ts'
import { bar, isListAddress } from './order-bar.ts'
import { createOrdered } from './ordered.ts'
import { findShownOffer } from './page-offers.ts'
import { createSheet } from './sheet.ts'

type OrderListOptions = Pick<OrderListContext, 'changeOrder' | 'seller' | 'whatsapp'>

/** Opens the list. `event` is the change of the address that led to the list; missing if the page was loaded there. */
export type OpenList = (event?: Event) => void

/** Returns the function that opens the list. */
export function createOrderList({ changeOrder, ...seller }: OrderListOptions): OpenList {
  const status = createElement('p', 'unseen')
  status.setAttribute('role', 'status')
  const context: OrderListContext = {
    changeOrder,
    ...seller,
    announce: (text) => status.replaceChildren(text),
    close: () => sheet.close(),
  }
  const nothing = createNothingOrdered(context)
  const ordered = createOrdered(context, nothing.emptyOrder)
  const sheet = createSheet(ORDER, ordered.element, nothing.element, status)
  const update = (): void => {
    const hadFocus = sheet.contains(document.activeElement)
    ordered.update()
    nothing.update()
    // Moves the focus to the heading if the focused control was hidden, or removed with its line. A browser moves the
    // focus away from a hidden control only later, so this checks whether the control has a box.
    const [box] = document.activeElement?.getClientRects() ?? []
    if (hadFocus && !(box && sheet.contains(document.activeElement))) sheet.querySelector('h2')?.focus()
  }
  $order.listen(update)
  /** True if the page's address before the list's is the previous entry of the history. */
  let isOpenedHere = false
  sheet.addEventListener('close', () => {
    // The order takes the names and prices that the visitor has seen.
    changeOrder((order) => reviewOrder(order, findShownOffer).map(({ line }) => line))
    if (isListAddress()) leaveAddress(isOpenedHere)
    focusPage()
  })
  addEventListener('hashchange', () => {
    if (!isListAddress()) sheet.close()
  })
  return (event) => {
    status.replaceChildren()
    update()
    if (!sheet.open) {
      // A second tap while the module was loading has no event.
      isOpenedHere = !!event
      sheet.showModal()
    }
  }
}

/** Leaves the address of the list without a new entry in the history, and without one that shows the page twice. */
function leaveAddress(isOpenedHere: boolean): void {
  if (!isOpenedHere) return replaceAddress(readPath())
  // Firefox focuses the element that the previous address names.
  addEventListener('hashchange', focusPage, { once: true })
  history.back()
}

/** Focuses the bar, or the content if nothing is ordered. */
function focusPage(): void {
  const next = bar?.dataset['full'] === undefined ? find('main') : bar
  next?.focus({ preventScroll: true })
}
