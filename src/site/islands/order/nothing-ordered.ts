/**
 * The part of the list that shows an empty order: a message, a button that undoes the emptying, if there is something
 * to undo, and a button that closes the list.
 */
import {
  NOTHING_ORDERED,
  ORDER_EMPTIED,
  ORDER_RESTORED,
  TO_CATALOGUE,
  UNDO,
} from '../../../domain/messages.ts'
import type { VisitorOrder } from '../../../domain/order/order.ts'
import { $order } from '../../stores/visitor-order.ts'
import { createButton, createElement } from './create-element.ts'
import type { OrderListContext } from './list-context.ts'

interface NothingOrdered {
  readonly element: HTMLElement
  readonly update: () => void
  readonly emptyOrder: () => void
}

export function createNothingOrdered({ changeOrder, announce, close }: OrderListContext): NothingOrdered {
  let emptied: VisitorOrder = []
  const restoreOrder = (): void => {
    changeOrder(() => emptied)
    announce(ORDER_RESTORED)
  }
  const undo = createButton(restoreOrder, '', UNDO)
  const leave = createButton(close, '', TO_CATALOGUE)
  const element = createElement('div', 'nothing-ordered')
  element.append(createElement('p', '', NOTHING_ORDERED), undo, leave)
  const update = (): void => {
    element.hidden = $order.get().length > 0
    undo.hidden = emptied.length === 0
    if (element.hidden) emptied = []
  }
  const emptyOrder = (): void => {
    changeOrder((order) => {
      emptied = order
      return []
    })
    announce(ORDER_EMPTIED)
    undo.focus()
  }
  return { element, update, emptyOrder }
}
