/** Shares a product of a catalogue. One listener serves every card. */
import { NO_PRICE } from '../../domain/documents/price.ts'
import { formatShare } from '../../domain/messages.ts'
import { share } from './share.ts'

export function answerShares(signal: AbortSignal): void {
  const answer = ({ target }: Event): void => {
    const card = target instanceof Element && target.closest('.share')?.closest('.card')
    if (card) void shareCard(card)
  }
  addEventListener('click', answer, { signal })
}

/** Shares the product's page; its card if it has none, without the filter and the search. */
function shareCard(card: Element): Promise<void> {
  const page = card.querySelector<HTMLAnchorElement>('h2 a')
  const url = page?.href ?? `${location.origin}${location.pathname}#${card.id}`
  const title = readText(card, 'h2')
  const price = readText(card, '.price')
  const text = formatShare(title, price === NO_PRICE ? '' : price, readText(document, 'h1'))
  return share({ title, text, url })
}

function readText(part: ParentNode, selector: string): string {
  return part.querySelector(selector)?.textContent ?? ''
}
