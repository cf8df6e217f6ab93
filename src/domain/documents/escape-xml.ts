/**
 * Escapes text for XML 1.0, and drops the characters that XML cannot represent. Source:
 * https://www.w3.org/TR/xml/#charsets
 */

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

// The flag `u` makes the pattern match code points, so that it also finds unpaired surrogates.
const SPECIAL = /[&<>"']|[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu

export function escapeXml(text: string): string {
  return text.replace(SPECIAL, (character) => ENTITIES[character] ?? '')
}
