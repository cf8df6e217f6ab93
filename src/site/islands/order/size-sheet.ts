import { formatPrice } from '../../../domain/documents/price.ts'
import { SIZE_NAMES } from '../../../domain/messages.ts'
import { find } from '../find.ts'
import { createButton, createElement } from './create-element.ts'
import type { OrderableSize } from './page-offers.ts'
import { createSheet } from './sheet.ts'

/**
 * Asks the visitor which size to order. Calls `choose` after the dialog has closed, when the focus is back on the page.
 * Does nothing if a dialog is already open, because two touches before the dialog appears call this function twice.
 */
export function askSize(sizes: readonly OrderableSize[], choose: (chosen: OrderableSize) => void): void {
  if (find('.sheet[open]') !== null) return
  let chosen: OrderableSize | undefined
  const buttons = sizes.map((one) => {
    const act = (): void => {
      chosen = one
      dialog.close()
    }
    const price = createElement('span', 'price', formatPrice(one.price))
    return createButton(act, 'choice', SIZE_NAMES[one.size], price)
  })
  const dialog = createSheet(sizes[0]?.name ?? '', createElement('div', 'sizes', ...buttons))
  dialog.addEventListener('close', () => {
    dialog.remove()
    if (chosen !== undefined) choose(chosen)
  })
  dialog.showModal()
}
