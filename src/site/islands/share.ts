/** Shares an address with the Web Share API, or copies it. */
import { LINK_COPIED, LINK_TO_COPY } from '../../domain/messages.ts'
import { say } from './message-line.ts'

interface Shared {
  readonly title: string
  readonly text: string
  readonly url: string
}

export async function share(shared: Shared): Promise<void> {
  try {
    await navigator.share(shared)
  } catch (error) {
    // The visitor closed the share dialog.
    if (String(error).includes('Abort')) return
    await copy(shared)
  }
}

async function copy({ text, url }: Shared): Promise<void> {
  try {
    await navigator.clipboard.writeText(`${text}\n${url}`)
    say(LINK_COPIED)
  } catch {
    // Shows the address for copying by hand, because a browser inside another app may have no address bar.
    prompt(LINK_TO_COPY, url)
  }
}
