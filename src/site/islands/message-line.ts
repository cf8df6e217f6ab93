/** The line of short messages at the lower edge of a catalogue, which screen readers announce. */
import { find } from './find.ts'

/** How long a message stays on the screen, in milliseconds. */
const READING_TIME = 8_000

/** A new text node makes screen readers announce a repeated message again. */
export function say(text: string): void {
  const line = find('output')
  line?.replaceChildren(text)
  const sentence = line?.firstChild
  setTimeout(() => sentence?.remove(), READING_TIME)
}
