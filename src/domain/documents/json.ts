/** Parses JSON, and formats canonical JSON: equal values give equal text, regardless of key order. */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/**
 * Returns JSON without white space, with numbers as `JSON.stringify` writes them. Keys are sorted by code unit, as in
 * RFC 8785, but keys that are array indexes, such as `10`, come first, in numeric order.
 */
export function formatCanonicalJson(value: Json): string {
  return JSON.stringify(sortKeys(value))
}

/** Returns `undefined` for text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}

function sortKeys(value: Json): Json {
  if (value === null || typeof value !== 'object') return value
  if (isList(value)) return value.map(sortKeys)
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, item]) => [key, sortKeys(item)]))
}
