/**
 * The inline script of pages with products to order: shows the bar of a stored order, and fetches the rest when the
 * visitor touches something of the order.
 */
import { ORDER_FAILED, ORDER_LOST } from '../../../domain/messages.ts'
import { formatOrderKey, parseStoredSummary } from '../../../domain/order/stored-order.ts'
import { readStored } from '../../stores/storage.ts'
import { say } from '../message-line.ts'
import '../place-message.ts'
import { bar, isListAddress, showSummary } from './order-bar.ts'

type OrderModule = typeof import('./order.ts')

const { seller = '', module = '' } = bar?.dataset ?? {}
const BUSY = 'data-busy'
let loading: Promise<OrderModule> | undefined

function load(): Promise<OrderModule> {
  loading ??= import(/* @vite-ignore */ module)
  return loading
}

/** Calls `act` once the module is loaded. Until then, `button` looks busy and ignores further touches. */
async function use(act: (order: OrderModule) => void, button?: Element): Promise<void> {
  button?.toggleAttribute(BUSY)
  try {
    act(await load())
  } catch {
    // The next touch loads the module again.
    loading = undefined
    // The error does not show if the module failed to arrive or this browser cannot run it, so a request finds out.
    const response = await fetch(module).catch(() => null)
    say(response?.ok ? ORDER_FAILED : ORDER_LOST)
  }
  button?.toggleAttribute(BUSY)
}

function showStored(): void {
  if (loading === undefined) showSummary(parseStoredSummary(readStored(formatOrderKey(seller))))
}

function showList(): void {
  if (isListAddress()) void use(({ openList }) => openList())
}

function findControl({ target }: Event): Element | null {
  return target instanceof Element ? target.closest('.add, .order') : null
}

addEventListener('click', (event) => {
  const control = findControl(event)
  // If the module failed to load before, the address is already that of the list, so no `hashchange` follows.
  if (control === bar) showList()
  else if (control?.hasAttribute(BUSY) === false) {
    // Read now, because the visitor may choose another size before the module has loaded.
    const chosen = control.parentElement?.querySelector<HTMLInputElement>(':checked')?.value
    void use(({ add }) => add(control, chosen), control)
  }
})
addEventListener('pointerdown', (event) => {
  if (findControl(event) !== null) load().catch(() => {})
})
addEventListener('storage', showStored)
addEventListener('pageshow', showStored)
addEventListener('hashchange', showList)
showStored()
showList()
