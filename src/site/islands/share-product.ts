/** Hands on a product's address: by the phone's own means, else by copying it. One listener serves every card. */
import { LINK_COPIED, LINK_NOT_COPIED } from '../../domain/messages.ts'

/** How long a sentence stays on the screen, in milliseconds. */
const READING_TIME = 5_000

export function answerShares(signal: AbortSignal): void {
  const answer = ({ target }: Event): void => {
    const card = target instanceof Element ? target.closest('.share')?.closest('[data-product]') : null
    if (card) void shareCard(card)
  }
  addEventListener('click', answer, { signal })
}

/** Without what the visitor chose to see: the address is the product's alone. */
async function shareCard(card: Element): Promise<void> {
  const url = `${location.origin}${location.pathname}#${card.id}`
  try {
    await navigator.share({ title: card.querySelector('h2')?.textContent ?? '', url })
  } catch (error) {
    // The visitor thought better of it.
    if (error instanceof DOMException && error.name === 'AbortError') return
    await copyAddress(url)
  }
}

async function copyAddress(url: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(url)
    say(LINK_COPIED)
  } catch {
    history.replaceState(history.state, '', url)
    say(LINK_NOT_COPIED)
  }
}

/** Shown, and read out also when it is said twice in a row. */
function say(text: string): void {
  const line = document.querySelector('output')
  if (line === null) return
  line.textContent = text
  const sentence = line.firstChild
  setTimeout(() => sentence?.remove(), READING_TIME)
}
