/**
 * Sends an order to its seller by WhatsApp. Without a WhatsApp number, opens the share dialog, or copies the text. The
 * last sent text is stored, so that the page can ask the visitor before the same text is sent again.
 */
import {
  createOrderWords,
  IS_ORDER_SENT,
  ORDER_BY_WHATSAPP,
  ORDER_COPIED,
  ORDER_NOT_COPIED,
  ORDER_TEXT,
  SEND_AGAIN,
  SHARE_ORDER,
} from '../../../domain/messages.ts'
import type { VisitorOrder } from '../../../domain/order/order.ts'
import { formatOrderText, formatWhatsAppAddress } from '../../../domain/order/order-text.ts'
import { formatSentKey } from '../../../domain/order/stored-order.ts'
import { readStored, writeStored } from '../../stores/storage.ts'
import { find } from '../find.ts'
import { createButton, createElement } from './create-element.ts'
import type { OrderListContext } from './list-context.ts'
import { formatProductAddress } from './page-offers.ts'

interface OrderSender {
  readonly element: HTMLElement
  /** Text that asks the visitor whether the order was sent. */
  readonly question: HTMLElement
  /** `order` contains only orderable lines, with the page's prices. */
  readonly update: (order: VisitorOrder) => void
}

interface Way {
  readonly element: HTMLElement
  readonly button: HTMLElement
  readonly label: string
  readonly update: (text: string) => void
}

/**
 * Called when the text is passed to WhatsApp or shared, and after an attempt to copy it. `result` is a message for the
 * visitor; may be empty.
 */
type Leave = (result: string) => void

export function createSender({ whatsapp, seller, announce }: OrderListContext): OrderSender {
  const key = formatSentKey(seller)
  let text = ''
  let sent = readStored(key)
  const leave = (result: string): void => {
    sent = text
    question.textContent = result + IS_ORDER_SENT
    announce(question.textContent)
    showSent()
  }
  const way = whatsapp === null ? createSharer(leave) : createWhatsAppLink(whatsapp, leave)
  const question = createElement('p', 'question', IS_ORDER_SENT)
  const showSent = (): void => {
    const isSent = sent === text
    question.hidden = !isSent
    way.button.textContent = isSent ? SEND_AGAIN : way.label
    // An emptied order may be restored, so `sent` is kept until the page is closed.
    if (way.element.hidden) writeStored(key, null)
    else if (isSent) writeStored(key, text)
  }
  const update = (order: VisitorOrder): void => {
    text = writeText(order)
    way.element.hidden = order.length === 0
    way.update(text)
    showSent()
  }
  return { element: way.element, question, update }
}

function createWhatsAppLink(number: string, leave: Leave): Way {
  const element = createElement('a', 'pill send')
  element.target = '_blank'
  element.rel = 'noopener'
  element.addEventListener('click', () => leave(''))
  const update = (text: string): void => {
    element.href = formatWhatsAppAddress(number, text)
  }
  return { element, button: element, label: ORDER_BY_WHATSAPP, update }
}

function createSharer(leave: Leave): Way {
  const field = createElement('textarea', '')
  field.setAttribute('aria-label', ORDER_TEXT)
  field.readOnly = field.hidden = true
  const share = async (): Promise<void> => {
    try {
      await navigator.share({ text: field.value })
      leave('')
    } catch (error) {
      // The visitor closed the share dialog.
      if (String(error).includes('Abort')) return
      field.hidden = false
      field.select()
      leave(await copyText(field.value))
    }
  }
  const button = createButton(() => void share(), 'send')
  const update = (text: string): void => {
    field.value = text
  }
  return { element: createElement('div', '', field, button), button, label: SHARE_ORDER, update }
}

/** Returns a message for the visitor, which says whether the text was copied. */
async function copyText(text: string): Promise<string> {
  try {
    await navigator.clipboard.writeText(text)
    return ORDER_COPIED
  } catch {
    return ORDER_NOT_COPIED
  }
}

function writeText(order: VisitorOrder): string {
  const site = find('.brand')?.textContent.trim() ?? ''
  return formatOrderText(order, { words: createOrderWords(site), formatAddress: formatProductAddress })
}
