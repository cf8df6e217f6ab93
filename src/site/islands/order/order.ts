/**
 * Adds products to the visitor's order in the chosen size, opens the list of the order, and updates the order bar.
 * Loaded when the visitor first uses the order.
 */
import { formatAdded, formatOrdered, ORDER_FULL } from '../../../domain/messages.ts'
import type { VisitorOrder } from '../../../domain/order/order.ts'
import { addToOrder, countOrdered } from '../../../domain/order/order.ts'
import type { OrderSummary } from '../../../domain/order/stored-order.ts'
import { summarizeOrder } from '../../../domain/order/stored-order.ts'
import { $order, followOrder } from '../../stores/visitor-order.ts'
import { say } from '../message-line.ts'
import { bar, showSummary } from './order-bar.ts'
import type { OpenList } from './order-list.ts'
import { createOrderList } from './order-list.ts'
import type { OrderableSize } from './page-offers.ts'
import { listOrderable, takeOrderable } from './page-offers.ts'
import { askSize } from './size-sheet.ts'

const { seller = '', whatsapp = null } = bar?.dataset ?? {}
const changeOrder = followOrder({ seller, summarize })

let showList: OpenList | undefined

/**
 * Opens the list; the first call creates it. Never called on a product's page, because the list would treat all other
 * products as removed, and would forget the order text that was last sent.
 */
export const openList: OpenList = (event) => {
  showList ??= createOrderList({ changeOrder, seller, whatsapp })
  showList(event)
}

$order.subscribe((order) => showSummary(order.length === 0 ? null : summarize(order)))

/** Adds the chosen size, or the only orderable one if none was chosen. Otherwise asks the visitor to choose a size. */
export function add(button: Element, chosen: string | undefined): void {
  const sizes = listOrderable(button)
  const [first, second] = sizes.filter(({ size }) => chosen === undefined || size === chosen)
  if (first !== undefined && second === undefined) addSize(first)
  else askSize(sizes, addSize)
}

function addSize(added: OrderableSize): void {
  const before = countOrdered($order.get())
  changeOrder((order) => addToOrder(order, added))
  const isAdded = countOrdered($order.get()) > before
  say(isAdded ? formatAdded(formatOrdered(added.name, added.size)) : ORDER_FULL)
}

function summarize(order: VisitorOrder): OrderSummary {
  return summarizeOrder(takeOrderable(order))
}
