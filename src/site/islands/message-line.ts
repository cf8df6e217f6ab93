/**
 * The line for short messages, which screen readers announce. `place-message.ts` puts it where it covers no control, if
 * there is such a place.
 */
import { find } from './find.ts'

/**
 * Shows a text as a new node, so that screen readers announce a repeated text again. Without a text, hides the line.
 */
export function say(...text: readonly string[]): void {
  find('output')?.replaceChildren(...text)
}
