/** Escapes text for XML 1.0, which has no way to write some characters: these are left out. Source: https://www.w3.org/TR/xml/#charsets */

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

// Matches code points, so that halves of surrogate pairs are found.
const SPECIAL = /[&<>"']|[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu

export function escapeXml(text: string): string {
  return text.replace(SPECIAL, (character) => ENTITIES[character] ?? '')
}
