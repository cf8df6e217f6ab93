import { NO_PRICE } from '../../domain/documents/price.ts'
import { formatShare } from '../../domain/messages.ts'
import { share } from './share.ts'

/**
 * Shares the product's page, or the address of its card if there is no page. The address has no filter and no query.
 */
export function shareCard(button: Element): void {
  const card = button.closest('.card') ?? button
  const page = card.querySelector<HTMLAnchorElement>('h2 a')
  const url = page?.href ?? `${location.origin}${location.pathname}#${card.id}`
  const title = readText(card, 'h2')
  const price = readText(card, '.price')
  const text = formatShare(title, price === NO_PRICE ? '' : price, readText(document, 'h1'))
  void share({ title, text, url })
}

function readText(part: ParentNode, selector: string): string {
  return part.querySelector(selector)?.textContent ?? ''
}
