/** The bar that leads to the order, visible while something is ordered. */
import { formatOrderBar } from '../../../domain/messages.ts'
import type { OrderSummary } from '../../../domain/order/stored-order.ts'
import { find } from '../find.ts'

/** The link to the order. It precedes every script of the order in the page, so it exists when they run. */
export const bar = find<HTMLAnchorElement>('a.order')

/** Shows the number of items and their total in the bar. `null` hides the bar. */
export function showSummary(summary: OrderSummary | null): void {
  bar?.toggleAttribute('data-full', summary !== null)
  if (summary !== null) bar?.lastElementChild?.replaceChildren(formatOrderBar(summary))
}

/** Returns whether the current address is the one that opens the order's list on this page. */
export function isListAddress(): boolean {
  return bar?.href === location.href
}
