/** Context of each part of the order's list: the seller, and functions that act on the order and the dialog. */
import type { VisitorOrder } from '../../../domain/order/order.ts'

export interface OrderListContext {
  readonly changeOrder: ChangeOrder
  /** The seller's id. */
  readonly seller: string
  /** The seller's number; `null` for none. */
  readonly whatsapp: string | null
  /** For screen readers. */
  readonly announce: (text: string) => void
  readonly close: () => void
}

/** Changes the order as it is stored now: another tab may have changed it. */
export type ChangeOrder = (change: (order: VisitorOrder) => VisitorOrder) => void
