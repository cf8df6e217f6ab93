/** Escapes text for HTML, XML and ASCII. */

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

// The flag `u` makes the pattern match code points, so that it also finds unpaired surrogates.
const SPECIAL = /[&<>"']|[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu

/** For texts, and for attributes between any quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}

/** For attributes between double quotes, as the components of Astro do. */
export function escapeAttribute(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '')
}

/** Drops the characters that XML 1.0 cannot represent. Source: https://www.w3.org/TR/xml/#charsets */
export function escapeXml(text: string): string {
  return text.replace(SPECIAL, (character) => (character === "'" ? '&apos;' : (ENTITIES[character] ?? '')))
}

/** Replaces characters beyond ASCII by escapes of JSON with capital letters, such as `\u00F1`. */
export function escapeAscii(text: string): string {
  return text.replace(
    /[^\0-~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
  )
}
