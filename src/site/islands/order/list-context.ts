/** The seller, and functions that act on the order and the dialog. Each part of the order's list receives them. */
import type { VisitorOrder } from '../../../domain/order/order.ts'

export interface OrderListContext {
  readonly changeOrder: ChangeOrder
  /** The seller's id. */
  readonly seller: string
  /** The seller's WhatsApp number; `null` for none. */
  readonly whatsapp: string | null
  /** Announces a text to screen readers. */
  readonly announce: (text: string) => void
  readonly close: () => void
}

/**
 * Reads the stored order again, because another tab may have changed it, applies `change`, and stores the result. If
 * the order could not be stored before, applies `change` to the order in memory.
 */
type ChangeOrder = (change: (order: VisitorOrder) => VisitorOrder) => void
