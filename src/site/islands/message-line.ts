/** The line of short messages at the lower edge of a catalogue, which screen readers announce. */

/** How long a message stays on the screen, in milliseconds. */
const READING_TIME = 5_000

/** Replacing the text node makes screen readers announce a repeated message again. */
export function say(text: string, time = READING_TIME): void {
  const line = document.querySelector('output')
  if (line === null) return
  line.textContent = text
  const sentence = line.firstChild
  setTimeout(() => sentence?.remove(), time)
}
