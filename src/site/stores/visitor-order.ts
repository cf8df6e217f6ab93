/**
 * The visitor's order from the seller of this page. It is stored only in the browser. If the storage is forbidden or
 * full, the order is lost when the page is closed.
 */
import { atom } from 'nanostores'
import type { VisitorOrder } from '../../domain/order/order.ts'
import type { OrderSummary } from '../../domain/order/stored-order.ts'
import { formatOrderKey, formatStoredOrder, parseStoredOrder } from '../../domain/order/stored-order.ts'
import { readStored, writeStored } from './storage.ts'

interface KeptOrder {
  readonly seller: string
  /** Creates the stored summary, which pages show before they load the order. */
  readonly summarize: (order: VisitorOrder) => OrderSummary
}

export const $order = atom<VisitorOrder>([])

/** True if the order could be stored when it last changed. */
export const $isKept = atom(true)

/** Reads the order and follows changes made in other tabs. Returns the function that changes the order. */
export function followOrder({
  seller,
  summarize,
}: KeptOrder): (change: (order: VisitorOrder) => VisitorOrder) => void {
  const key = formatOrderKey(seller)
  const readAgain = (): void => {
    if ($isKept.get()) $order.set(parseStoredOrder(readStored(key)))
  }
  readAgain()
  addEventListener('storage', readAgain)
  // A page in the back/forward cache receives no events from other tabs, so it reads the order again when it is shown.
  addEventListener('pageshow', readAgain)
  return (change) => {
    readAgain()
    const order = change($order.get())
    const text = order.length === 0 ? null : formatStoredOrder(order, summarize(order))
    $isKept.set(writeStored(key, text))
    $order.set(order)
  }
}
