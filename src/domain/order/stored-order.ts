/**
 * An order as the browser stores it: the number of items and the total on the first line, then the order's lines as
 * JSON. A page shows the number and the total without parsing the JSON.
 */
import { parseJson } from '../documents/json.ts'
import { formatPrice, isPayable, isPrice } from '../documents/price.ts'
import type { VisitorOrder, OrderLine } from './order.ts'
import { countOrdered, isSameLine, MAX_COUNT, MAX_LINES, ORDER_SIZES, sumPrices } from './order.ts'

export interface OrderSummary {
  readonly count: number
  /** Formatted, such as `RD$2,850`. */
  readonly total: string
}

/** Returns the storage key of the order from a seller. */
export function formatOrderKey(seller: string): string {
  return `pedido:${seller}`
}

/** Returns the storage key of the order text that the visitor last sent, shared or copied. */
export function formatSentKey(seller: string): string {
  return `enviado:${seller}`
}

export function summarizeOrder(order: VisitorOrder): OrderSummary {
  return { count: countOrdered(order), total: formatPrice(sumPrices(order)) }
}

/** The summary may count fewer items than `order`: only those that can be ordered now. */
export function formatStoredOrder(order: VisitorOrder, { count, total }: OrderSummary): string {
  const lines = order.map(({ product, size, count: own, name, price }) => [product, size, own, name, price])
  return `${count} ${total}\n${JSON.stringify(lines)}`
}

/** Returns `null` for a missing or malformed text. Other code or the visitor may have written the text. */
export function parseStoredSummary(text: string | null): OrderSummary | null {
  const [, count, total = ''] = /^(\d+) (RD\S+)\n/.exec(text ?? '') ?? []
  return count === undefined ? null : { count: Number(count), total }
}

/** Returns the first `MAX_LINES` lines of a stored order, without malformed and repeated ones; none for `null`. */
export function parseStoredOrder(text: string | null): VisitorOrder {
  const lines = parseJson(text?.slice(text.indexOf('\n')) ?? '')
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
  if (!isCount(count) || !isPrice(price) || !isPayable(price)) return null
  return { product, size: known, count, name, price }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_COUNT
}
