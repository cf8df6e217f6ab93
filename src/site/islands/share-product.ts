/** Shares a product with the Web Share API, or copies it. One listener serves every card. */
import { NO_PRICE } from '../../domain/documents/price.ts'
import { LINK_COPIED, LINK_NOT_COPIED, formatShare } from '../../domain/messages.ts'
import { say } from './message-line.ts'
import { replaceAddress } from './view-address.ts'

export function answerShares(signal: AbortSignal): void {
  const answer = ({ target }: Event): void => {
    const card = target instanceof Element && target.closest('.share')?.closest('.card')
    if (card) void shareCard(card)
  }
  addEventListener('click', answer, { signal })
}

/** Shares the product's page; its card if it has none, without the filter and the search. */
async function shareCard(card: Element): Promise<void> {
  const page = card.querySelector<HTMLAnchorElement>('h2 a')
  const url = page?.href ?? `${location.origin}${location.pathname}#${card.id}`
  const title = readText(card, 'h2')
  const price = readText(card, '.price')
  const text = formatShare(title, price === NO_PRICE ? '' : price, readText(document, 'h1'))
  try {
    await navigator.share({ title, text, url })
  } catch (error) {
    // The visitor closed the share dialog.
    if (error instanceof Error && error.name === 'AbortError') return
    await copyShare(text, url)
  }
}

function readText(part: ParentNode, selector: string): string {
  return part.querySelector(selector)?.textContent ?? ''
}

async function copyShare(text: string, url: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(`${text}\n${url}`)
    say(LINK_COPIED)
  } catch {
    replaceAddress(url)
    say(LINK_NOT_COPIED)
  }
}
