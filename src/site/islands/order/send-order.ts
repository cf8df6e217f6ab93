/** The way of an order to its seller: WhatsApp; without a number the phone's own dialog, or the text to copy. */
import {
  COPY,
  createOrderWords,
  ORDER_BY_WHATSAPP,
  ORDER_COPIED,
  ORDER_NOT_COPIED,
  ORDER_TEXT,
  SHARE_ORDER,
} from '../../../domain/messages.ts'
import type { Order } from '../../../domain/order/order.ts'
import { formatOrderText, formatWhatsAppAddress } from '../../../domain/order/order-text.ts'
import { createButton, createElement } from './create-element.ts'
import { formatProductAddress } from './page-offers.ts'

export interface Sender {
  readonly element: HTMLElement
  /** `order` has only what can be ordered, with today's prices. */
  readonly update: (order: Order) => void
}

export function createSender(whatsapp: string | null, announce: (text: string) => void): Sender {
  return whatsapp === null ? createSharer(announce) : createWhatsAppLink(whatsapp)
}

function createWhatsAppLink(number: string): Sender {
  const element = createElement(
    'a',
    { className: 'pill send', target: '_blank', rel: 'noopener' },
    ORDER_BY_WHATSAPP,
  )
  const update = (order: Order): void => {
    element.hidden = order.length === 0
    element.href = formatWhatsAppAddress(number, writeText(order))
  }
  return { element, update }
}

function createSharer(announce: (text: string) => void): Sender {
  const text = createElement('textarea', { ariaLabel: ORDER_TEXT, readOnly: true, rows: 8 })
  const copy = createButton(() => void copyText(text, announce), {}, COPY)
  const manual = createElement('div', { className: 'manual', hidden: true }, text, copy)
  const share = createButton(() => void shareText(), { className: 'send' }, SHARE_ORDER)
  const shareText = async (): Promise<void> => {
    try {
      await navigator.share({ text: text.value })
    } catch (error) {
      // The visitor closed the share dialog.
      if (error instanceof Error && error.name === 'AbortError') return
      manual.hidden = false
      copy.focus()
    }
  }
  const element = createElement('div', {}, share, manual)
  const update = (order: Order): void => {
    element.hidden = order.length === 0
    text.value = writeText(order)
  }
  return { element, update }
}

async function copyText(text: HTMLTextAreaElement, announce: (text: string) => void): Promise<void> {
  try {
    await navigator.clipboard.writeText(text.value)
    announce(ORDER_COPIED)
  } catch {
    text.select()
    announce(ORDER_NOT_COPIED)
  }
}

function writeText(order: Order): string {
  const site = document.querySelector('.brand')?.textContent.trim() ?? ''
  return formatOrderText(order, { words: createOrderWords(site), formatAddress: formatProductAddress })
}
