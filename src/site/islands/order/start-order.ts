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

/** The attribute of a touched button until the module acts on the touch. */
const BUSY = 'data-busy'

const { seller = '', module = '' } = bar?.dataset ?? {}
let loading: Promise<OrderModule> | undefined
let address = module

/**
 * Loads the module once. After a failure, the next call tries again, with a longer fragment, because many browsers
 * remember for each address with its fragment that its module has failed.
 */
function load(): Promise<OrderModule> {
  loading ??= import(/* @vite-ignore */ address).catch((error) => {
    loading = undefined
    address += '#'
    throw error
  })
  return loading
}

/** Calls `act` once the module is loaded. Until then, `button` is marked as busy and ignores further touches. */
async function use(act: (order: OrderModule) => void, button?: Element): Promise<void> {
  let message = ORDER_LOST
  // The error does not show whether the module failed to load or cannot run in this browser. A request shows which.
  const loadAgain = async (): Promise<OrderModule> => {
    const { ok, status } = await fetch(module)
    if (ok) message = ORDER_FAILED
    // The page may be older than the files that the site still has. A page that opens the list as it loads is not
    // loaded again, because it might never end.
    else if (status === 404 && button) location.reload()
    return load()
  }
  button?.toggleAttribute(BUSY)
  try {
    const order = await load().catch(loadAgain)
    message = ORDER_FAILED
    act(order)
  } catch {
    say(message)
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
  return target instanceof Element ? target.closest('.add:not([data-busy]), .order') : null
}

addEventListener('click', (event) => {
  const control = findControl(event)
  // Does not rely on `hashchange`: after a failed load, the address is already that of the list and does not change.
  if (control === bar) showList()
  else if (control) {
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
// The script before the products marked these buttons, which the visitor touched while the products were arriving.
for (const button of document.querySelectorAll<HTMLElement>('.add[data-busy]')) {
  button.toggleAttribute(BUSY)
  button.click()
}
