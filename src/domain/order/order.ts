/** A visitor's order from one catalogue, as the browser keeps it. It is stored on the visitor's device and nowhere else. */
import { isPrice } from '../documents/price.ts'

/** A full bottle, or a decant. */
export const ORDER_SIZES = ['frasco', '5ml', '10ml'] as const
export type OrderSize = (typeof ORDER_SIZES)[number]

export type OrderLine = {
  /** The product's document id. */
  readonly product: string
  readonly size: OrderSize
  /** From 1 to `MAX_COUNT`. */
  readonly count: number
  /** Name and price of one when the visitor last saw the order. */
  readonly name: string
  readonly price: number
}

export type Order = readonly OrderLine[]

export const MAX_COUNT = 99
const MAX_LINES = 200

/** Prices have at most three decimals, which floating-point sums do not keep. */
const UNITS = 1_000

/** Adds one. A line with a changed name or price takes the new ones. */
export function addToOrder(order: Order, added: Omit<OrderLine, 'count'>): Order {
  const known = order.find((line) => isSameLine(line, added))
  if (known === undefined) return order.length < MAX_LINES ? [...order, { ...added, count: 1 }] : order
  const line = { ...added, count: Math.min(known.count + 1, MAX_COUNT) }
  return order.map((one) => (one === known ? line : one))
}

/** A count of 0 removes the line. */
export function changeCount(order: Order, changed: LineKey, count: number): Order {
  if (count <= 0) return order.filter((line) => !isSameLine(line, changed))
  return order.map((line) =>
    isSameLine(line, changed) ? { ...line, count: Math.min(count, MAX_COUNT) } : line,
  )
}

type LineKey = Pick<OrderLine, 'product' | 'size'>

export function isSameLine(a: LineKey, b: LineKey): boolean {
  return a.product === b.product && a.size === b.size
}

export function countItems(order: Order): number {
  return order.reduce((sum, { count }) => sum + count, 0)
}

/** In Dominican pesos. */
export function sumPrices(order: readonly Pick<OrderLine, 'count' | 'price'>[]): number {
  return order.reduce((sum, { count, price }) => sum + count * Math.round(price * UNITS), 0) / UNITS
}

export function formatStoredOrder(order: Order): string {
  return JSON.stringify(
    order.map(({ product, size, count, name, price }) => [product, size, count, name, price]),
  )
}

/** Leaves out what is malformed: other code, or the visitor, may have written it. */
export function parseStoredOrder(text: string | null): Order {
  const lines = parseJson(text ?? '')
  if (!Array.isArray(lines)) return []
  const order: OrderLine[] = []
  for (const line of lines.slice(0, MAX_LINES).map(parseLine))
    if (line !== null && !order.some((one) => isSameLine(one, line))) order.push(line)
  return order
}

function parseLine(raw: unknown): OrderLine | null {
  if (!Array.isArray(raw)) return null
  const [product, size, count, name, price] = raw as readonly unknown[]
  const known = ORDER_SIZES.find((one) => one === size)
  if (typeof product !== 'string' || typeof name !== 'string' || known === undefined) return null
  if (!isCount(count) || !isPrice(price)) return null
  return { product, size: known, count, name, price }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_COUNT
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
