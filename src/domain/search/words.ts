/** Splits names and queries into words by the same rules, so that queries find names. */
import { dropEmpty, rewriteQuery } from '../catalogue/plain-words.ts'
import { listAlso, listDecants } from '../catalogue/natural-search.ts'
import { createSearchText } from '../catalogue/search.ts'
import { readOffered } from '../catalogue/view.ts'
import type { Product } from '../documents/product.ts'
import { cleanText, foldText } from '../documents/text.ts'

/** Max characters of a query; the rest is ignored. */
export const MAX_QUERY = 100
/** Max words of a query; the rest is ignored. */
export const MAX_QUERY_WORDS = 8
/** Max characters of the words of a name or a product, with a space after each; the other words are ignored. */
export const MAX_LINE = 240

/** The first 32 characters of a word; the rest is ignored. */
const WORDS = /(?<![\p{L}\p{N}])[\p{L}\p{N}]{1,32}/gu

/** Words of names, because many sellers have the same products; at most `MOST_KEPT`. */
const kept = new Map<string, readonly string[]>()
const MOST_KEPT = 10_000

/**
 * Returns the distinct words of a name and its synonyms, in lower case and without accents. `Ángel EDP 100ml` has
 * `angel`, `edp`, `100ml`, `100`, `ml`, `eau`, `de`, `parfum`, `perfume`.
 */
export function listWords(name: string): readonly string[] {
  const held = kept.get(name)
  if (held !== undefined) return held
  const text = createSearchText(name)
  const words = takeWords((`${text.folded} ${listAlso(text)}`.match(WORDS) ?? []).flatMap(divideWord))
  if (kept.size === MOST_KEPT) kept.clear()
  kept.set(name, words)
  return words
}

/** Returns the words of a product: those of the decants that it offers, and of its name. */
export function listProductWords(product: Product): readonly string[] {
  const { decants } = readOffered(product)
  const marks = Object.entries(decants).flatMap(([size, isOffered]) => (isOffered ? [markDecant(size)] : []))
  return takeWords([...marks, ...listDecants(decants), ...listWords(product.name)])
}

function takeWords(words: readonly string[]): readonly string[] {
  let left = MAX_LINE
  return [...new Set(words)].filter((word) => (left -= word.length + 1) >= 0)
}

/**
 * Returns the mark of each product that offers the decant of this size: `~5ml`. The words `decant` and `5ml` are not
 * enough, because they may be in the name of a product that does not offer the decant. No word has the sign.
 */
export function markDecant(size: string): string {
  return `~${size}`
}

/** Returns a query as pages show it: one line of at most `MAX_QUERY` characters. Accepts any text. */
export function cleanQuery(raw: string): string {
  const text = cleanText(raw).slice(0, MAX_QUERY)
  // Removes half of a surrogate pair, which `slice` may have cut apart.
  return text.replace(/[\uD800-\uDBFF]$/, '').trim()
}

/**
 * Returns the distinct words of a query, rewritten by `rewriteQuery`, in their order, at most `MAX_QUERY_WORDS`. The
 * words are in lower case, without accents and invisible characters, like those of names. Filler words are left out,
 * unless the query has no others. Accepts any text.
 */
export function parseQuery(query: string): readonly string[] {
  const words = dropEmpty(rewriteQuery(foldText(cleanQuery(query))).match(WORDS) ?? [])
  const parts = words.flatMap((word) => word.match(/[0-9]+[^0-9]*|[^0-9]+/g) ?? [])
  return [...new Set(parts)].slice(0, MAX_QUERY_WORDS)
}

/** Returns `edp100ml`, `edp`, `100`, `ml` and `100ml` for `edp100ml`. */
function divideWord(word: string): readonly string[] {
  const parts = [/[0-9]+|[^0-9]+/g, /[0-9]+[^0-9]+/g].flatMap((pattern) => word.match(pattern) ?? [])
  return [word, ...parts]
}
