/** A visitor's order from one catalogue. It is stored in the visitor's browser and nowhere else. */
import { countCents } from '../documents/price.ts'

/** A full bottle, or a decant. */
export const ORDER_SIZES = ['frasco', '5ml', '10ml'] as const
export type OrderSize = (typeof ORDER_SIZES)[number]

export type OrderLine = {
  /** The product's document id. */
  readonly product: string
  readonly size: OrderSize
  /** From 1 to `MAX_COUNT`. */
  readonly count: number
  /** Name and unit price when the visitor last saw the order. */
  readonly name: string
  readonly price: number
}

export type VisitorOrder = readonly OrderLine[]

export const MAX_COUNT = 99
export const MAX_LINES = 200

/**
 * Adds one item, unless its line already has `MAX_COUNT`. An existing line for the same product and size gets the new
 * name and price. If the order already has `MAX_LINES` lines, no line is added.
 */
export function addToOrder(order: VisitorOrder, added: Omit<OrderLine, 'count'>): VisitorOrder {
  const known = order.find((line) => isSameLine(line, added))
  if (known === undefined) return order.length < MAX_LINES ? [...order, { ...added, count: 1 }] : order
  const line = { ...added, count: Math.min(known.count + 1, MAX_COUNT) }
  return order.map((one) => (one === known ? line : one))
}

/** Sets the count of a line, at most `MAX_COUNT`. A count of 0 removes the line. */
export function changeCount(order: VisitorOrder, changed: LineKey, count: number): VisitorOrder {
  if (count <= 0) return order.filter((line) => !isSameLine(line, changed))
  return order.map((line) =>
    isSameLine(line, changed) ? { ...line, count: Math.min(count, MAX_COUNT) } : line,
  )
}

type LineKey = Pick<OrderLine, 'product' | 'size'>

export function isSameLine(a: LineKey, b: LineKey): boolean {
  return a.product === b.product && a.size === b.size
}

export function countOrdered(order: VisitorOrder): number {
  return order.reduce((sum, { count }) => sum + count, 0)
}

/** Returns the total in Dominican pesos. */
export function sumPrices(order: readonly Pick<OrderLine, 'count' | 'price'>[]): number {
  return order.reduce((sum, { count, price }) => sum + count * countCents(price), 0) / 100
}
