/** JSON for a `<script type="application/ld+json">`: the only way for text of a document into a script element. */
import type { Json } from '../documents/json.ts'

// What could end the script, open a comment in it, or be a line break to an older reader of JavaScript.
const UNSAFE = ['<', '>', '&', '\u2028', '\u2029'].map((character) => ({
  character,
  escape: `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
}))

/** Parses to the same value as plain JSON. */
export function formatJsonLd(value: Json): string {
  return UNSAFE.reduce(
    (text, { character, escape }) => text.replaceAll(character, escape),
    JSON.stringify(value),
  )
}
