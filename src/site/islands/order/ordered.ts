/**
 * The part of the list that shows an order with lines: the lines, the total, and buttons to send or empty the order.
 */
import { formatPrice } from '../../../domain/documents/price.ts'
import {
  EMPTY_ORDER,
  formatHowToOrder,
  formatOrdered,
  formatRemoved,
  formatTotal,
  formatWrittenLine,
  ORDER_NOT_KEPT,
} from '../../../domain/messages.ts'
import type { OrderLine } from '../../../domain/order/order.ts'
import { changeCount, isSameLine, sumPrices } from '../../../domain/order/order.ts'
import { reviewOrder, takeOffered } from '../../../domain/order/review-order.ts'
import { $isKept, $order } from '../../stores/visitor-order.ts'
import { find } from '../find.ts'
import { createButton, createElement } from './create-element.ts'
import type { OrderListContext } from './list-context.ts'
import { createLines } from './order-lines.ts'
import { findShownOffer } from './page-offers.ts'
import { createSender } from './send-order.ts'

interface Ordered {
  readonly element: HTMLElement
  readonly update: () => void
}

export function createOrdered(context: OrderListContext, emptyOrder: () => void): Ordered {
  const { changeOrder, whatsapp, announce } = context
  const seller = find('h1')?.textContent.trim() ?? ''
  const how = formatHowToOrder(whatsapp, seller)
  const total = createElement('p', 'total')
  const lines = createLines((line, count) => {
    const order = $order.get()
    const index = order.findIndex((one) => isSameLine(one, line))
    changeOrder((latest) => changeCount(latest, line, count))
    announce(`${describeLine(line)}. ${total.textContent}`)
    if (count === 0) lines.focusLine(index)
  })
  const sender = createSender(context)
  const note = createElement('p', 'note', ORDER_NOT_KEPT)
  const empty = createButton(emptyOrder, 'empty', EMPTY_ORDER)
  const foot = createElement('div', 'foot', sender.question, empty, total, sender.element)
  const element = createElement('div', '', createElement('p', 'how', how), note, lines.element, foot)
  const update = (): void => {
    const reviewed = reviewOrder($order.get(), findShownOffer)
    const offered = takeOffered(reviewed)
    element.hidden = reviewed.length === 0
    note.hidden = $isKept.get()
    lines.update(reviewed)
    total.textContent = formatTotal(formatPrice(sumPrices(offered)))
    sender.update(offered)
  }
  return { element, update }
}

/**
 * Describes the line as the order now contains it, because the order limits counts, and another tab may have changed or
 * removed the line.
 */
function describeLine(line: OrderLine): string {
  const kept = $order.get().find((one) => isSameLine(one, line))
  if (kept === undefined) return formatRemoved(formatOrdered(line.name, line.size))
  const counted = { ...line, count: kept.count }
  return formatWrittenLine({ ...counted, price: formatPrice(sumPrices([counted])) })
}
