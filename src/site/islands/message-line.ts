/** The line of short messages, which screen readers announce. `place-message.ts` puts it where it covers no control. */
import { find } from './find.ts'

/** A new text node makes screen readers announce a repeated message again. Without a text the line disappears. */
export function say(...text: readonly string[]): void {
  find('output')?.replaceChildren(...text)
}
