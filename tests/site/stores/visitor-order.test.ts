/** The order in the browser's storage, which another tab changes and a visitor forbids. */
import { afterEach, expect, test, vi } from 'vitest'
import type { VisitorOrder, OrderLine } from '../../../src/domain/order/order.ts'
import { addToOrder, countOrdered } from '../../../src/domain/order/order.ts'
import {
  formatStoredOrder,
  parseStoredOrder,
  summarizeOrder,
} from '../../../src/domain/order/stored-order.ts'
import { $isKept, $order, followOrder } from '../../../src/site/stores/visitor-order.ts'

const LINE: OrderLine = { product: 'a', size: '5ml', count: 1, name: 'Afnan 9PM', price: 250 }
const KEPT = { seller: 'ana', summarize: summarizeOrder }
const KEY = 'pedido:ana'

const add = (order: VisitorOrder): VisitorOrder => addToOrder(order, LINE)

/** Replaces the browser. Returns the function that raises an event. */
function openBrowser(stored: Map<string, string>, isFull: () => boolean): (event: string) => void {
  const listeners = new Map<string, () => void>()
  vi.stubGlobal('addEventListener', (event: string, listener: () => void) => listeners.set(event, listener))
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    removeItem: (key: string) => stored.delete(key),
    setItem: (key: string, value: string) => {
      if (isFull()) throw new DOMException('full', 'QuotaExceededError')
      stored.set(key, value)
    },
  })
  return (event) => listeners.get(event)?.()
}

afterEach(() => {
  vi.unstubAllGlobals()
  $order.set([])
  $isKept.set(true)
})

test('a change begins with what another tab stored, also before this one heard of it', () => {
  const stored = new Map<string, string>()
  const tell = openBrowser(stored, () => false)
  const changeOrder = followOrder(KEPT)
  changeOrder(add)
  const other = [{ ...LINE, product: 'b' }, ...parseStoredOrder(stored.get(KEY) ?? null)]
  stored.set(KEY, formatStoredOrder(other, summarizeOrder(other)))
  changeOrder(add)
  expect($order.get().map(({ product, count }) => [product, count])).toEqual([
    ['b', 1],
    ['a', 2],
  ])
  stored.clear()
  tell('storage')
  expect($order.get()).toEqual([])
})

test('an order that cannot be stored lasts as long as the page', () => {
  const stored = new Map<string, string>()
  const state = { isFull: true }
  const tell = openBrowser(stored, () => state.isFull)
  const changeOrder = followOrder(KEPT)
  changeOrder(add)
  changeOrder(add)
  tell('pageshow')
  expect([countOrdered($order.get()), $isKept.get(), stored.size]).toEqual([2, false, 0])
  state.isFull = false
  changeOrder(add)
  expect([countOrdered($order.get()), $isKept.get()]).toEqual([3, true])
  expect(parseStoredOrder(stored.get(KEY) ?? null)).toEqual($order.get())
  changeOrder(() => [])
  expect(stored.size).toBe(0)
})
