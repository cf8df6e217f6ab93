/** The dialog with the order's list. It is open while the page's address equals the address of the bar's link. */
import { ORDER } from '../../../domain/messages.ts'
import { reviewOrder } from '../../../domain/order/review-order.ts'
import { $order } from '../../stores/visitor-order.ts'
import { readPath, replaceAddress } from '../catalogue/view-address.ts'
import { createElement } from './create-element.ts'
import type { ChangeOrder, OrderListContext } from './list-context.ts'
import { createNothingOrdered } from './nothing-ordered.ts'
import { bar, isListAddress } from './order-bar.ts'
import { createOrdered } from './ordered.ts'
import { findShownOffer } from './page-offers.ts'
import { createSheet } from './sheet.ts'

type OrderListOptions = Pick<OrderListContext, 'changeOrder' | 'seller' | 'whatsapp'>

/** Returns the function that opens the list. */
export function createOrderList({ changeOrder, ...seller }: OrderListOptions): () => void {
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
  sheet.addEventListener('close', () => leaveList(changeOrder))
  addEventListener('hashchange', () => {
    if (!isListAddress()) sheet.close()
  })
  return () => {
    status.replaceChildren()
    update()
    if (!sheet.open) sheet.showModal()
  }
}

/**
 * Updates the order to the names and prices that the visitor has seen, removes the list's fragment from the address,
 * and focuses the bar, or the content if nothing is ordered.
 */
function leaveList(changeOrder: ChangeOrder): void {
  changeOrder((order) => reviewOrder(order, findShownOffer).map(({ line }) => line))
  if (isListAddress()) replaceAddress(readPath())
  const next = bar?.dataset['full'] === undefined ? document.querySelector('main') : bar
  next?.focus({ preventScroll: true })
}
