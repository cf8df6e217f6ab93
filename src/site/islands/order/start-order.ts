/**
 * The inline script of pages with products to order: shows the bar of a stored order, and loads the module `order.ts`
 * when the visitor touches the bar or a button that adds to the order, or when the address opens the list.
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

/** Calls `act` once the module is loaded. Until then, `button` is marked as busy and ignores further touches. */
async function use(act: (order: OrderModule) => void, button?: Element): Promise<void> {
  button?.toggleAttribute(BUSY)
  try {
    act(await load())
  } catch {
    // The next touch loads the module again.
    loading = undefined
    // The error does not show whether the module failed to load or cannot run in this browser. A request shows which.
    const response = await fetch(module).catch(() => null)
    say(response?.ok ? ORDER_FAILED : ORDER_LOST)
  }
  button?.toggleAttribute(BUSY)
}

function showStored(): void {
  if (loading === undefined) showSummary(parseStoredSummary(readStored(formatOrderKey(seller))))
}

function showList(event?: Event): void {
  if (isListAddress()) void use(({ openList }) => openList(event))
}

function findControl({ target }: Event): Element | null {
  return target instanceof Element ? target.closest('.add, .order') : null
}

addEventListener('click', (event) => {
  const control = findControl(event)
  // Does not rely on `hashchange`: after a failed load, the address is already that of the list and does not change.
  if (control === bar) showList()
  else if (control?.hasAttribute(BUSY) === false) {
    // The size is read now, because the visitor may choose another size before the module has loaded.
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
