/**
 * The inline script of pages with products to order: shows the bar of a stored order, and fetches the rest when the
 * visitor touches something of the order.
 */
import { ORDER_FAILED, ORDER_LOST } from '../../../domain/messages.ts'
import { formatOrderKey, parseStoredSummary } from '../../../domain/order/stored-order.ts'
import { readStored } from '../../stores/storage.ts'
import { say } from '../message-line.ts'
import { bar, isListAddress, showSummary } from './order-bar.ts'

type OrderModule = typeof import('./order.ts')

const { seller = '', module = '' } = bar?.dataset ?? {}
let loading: Promise<OrderModule> | undefined

function load(): Promise<OrderModule> {
  loading ??= import(/* @vite-ignore */ module)
  return loading
}

async function use(act: (order: OrderModule) => void): Promise<void> {
  try {
    act(await load())
  } catch {
    // The next touch asks again.
    loading = undefined
    // The errors of a module that did not arrive and of one that this browser cannot run are alike.
    const response = await fetch(module).catch(() => null)
    say(response?.ok ? ORDER_FAILED : ORDER_LOST)
  }
}

function showStored(): void {
  if (loading === undefined) showSummary(parseStoredSummary(readStored(formatOrderKey(seller))))
}

function showList(): void {
  if (isListAddress()) void use(({ openList }) => openList())
}

function findControl<E extends Element>({ target }: Event, selector: string): E | null {
  return target instanceof Element ? target.closest<E>(selector) : null
}

addEventListener('click', (event) => {
  const button = findControl<HTMLButtonElement>(event, '.add')
  if (button !== null) void use(({ add }) => add(button))
  // The address may be that of the list already, when the module did not arrive before.
  else if (findControl(event, '.order') !== null) showList()
})
addEventListener('pointerdown', (event) => {
  if (findControl(event, '.add, .order') !== null) load().catch(() => {})
})
addEventListener('storage', showStored)
addEventListener('pageshow', showStored)
addEventListener('hashchange', showList)
showStored()
showList()
