/** JSON for `<script type="application/ld+json">`, the only script element that contains text of documents. */
import type { Json } from '../documents/json.ts'

// Characters to escape: they could end the `<script>` element, open a comment in it, begin an entity in XHTML, or count
// as line breaks in older JavaScript parsers.
const UNSAFE = /[<>&\u2028\u2029]/g

/** Returns JSON that is safe within a `<script>` element and parses to the same value as plain JSON. */
export function formatJsonLd(value: Json): string {
  return JSON.stringify(value).replace(UNSAFE, formatEscape)
}

function formatEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
