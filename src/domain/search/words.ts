/** Splits names and queries into words by the same rules, so that queries find names. */
import { dropEmpty, rewriteText } from '../catalogue/plain-words.ts'
import { listAlso, listDecants } from '../catalogue/natural-search.ts'
import { createSearchText } from '../catalogue/search.ts'
import { readOffered } from '../catalogue/view.ts'
import type { Product } from '../documents/product.ts'
import { cleanText, foldText } from '../documents/text.ts'

/** Max characters of a query; the rest is ignored. */
export const MAX_QUERY = 100
/** Max words of a query; the rest is ignored. */
export const MAX_QUERY_WORDS = 8
/** Max words of a name, including those of its synonyms; the rest is ignored. */
export const MAX_NAME_WORDS = 24
/** Max characters of a product's words, with a space after each; the other words are ignored. */
const MAX_LINE = 240
/** Max characters of a word; the rest is ignored. */
const MAX_WORD = 32

const WORDS = /[\p{L}\p{N}]+/gu

/**
 * An amount in a query, whose number and unit are joined into one word (`10 ml` to `10ml`). Otherwise, the `10` would
 * find `100 ml`.
 */
const AMOUNTS = /(\d)\s+(ml|oz|cl|l|g|gr|kg)(?![\p{L}\p{N}])/gu

/**
 * Returns at most `MAX_NAME_WORDS` distinct words of a name and its synonyms, in lower case, without accents, in
 * ascending order. `Ángel EDP 100ml` has `100`, `100ml`, `angel`, `de`, `eau`, `edp`, `ml`, `parfum`, `perfume`.
 */
export function listWords(name: string): readonly string[] {
  const text = createSearchText(name)
  const words = `${text.folded} ${listAlso(text)}`.match(WORDS) ?? []
  return [...new Set(words.flatMap(divideWord).map(cutWord))].slice(0, MAX_NAME_WORDS).sort()
}

/** Returns the words of a product: those of its name, given as `named`, and of the decants that it offers. */
export function listProductWords(product: Product, named = listWords(product.name)): readonly string[] {
  const { decants } = readOffered(product)
  const marks = Object.entries(decants).flatMap(([size, isOffered]) => (isOffered ? [markDecant(size)] : []))
  let left = MAX_LINE
  return [...new Set([...marks, ...listDecants(decants), ...named])].filter(
    (word) => (left -= word.length + 1) >= 0,
  )
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
 * Returns the distinct words of a query, rewritten by `rewriteText`, in their order, at most `MAX_QUERY_WORDS`. The
 * words are in lower case, without accents and invisible characters, like those of names. Filler words are left out,
 * unless the query has no others. Accepts any text.
 */
export function parseQuery(query: string): readonly string[] {
  const text = rewriteText(foldText(cleanQuery(query))).replace(AMOUNTS, '$1$2')
  const words = dropEmpty(text.match(WORDS) ?? []).flatMap(
    (word) => word.match(/[0-9]+[^0-9]*|[^0-9]+/g) ?? [],
  )
  return [...new Set(words.map(cutWord))].slice(0, MAX_QUERY_WORDS)
}

/** Returns `edp100ml`, `edp`, `100`, `ml` and `100ml` for `edp100ml`. */
function divideWord(word: string): readonly string[] {
  if (!/[0-9]/.test(word)) return [word]
  const parts = word.match(/[0-9]+|[^0-9]+/g) ?? []
  const amounts = parts.flatMap((part, index) => {
    const unit = parts[index + 1]
    return /[0-9]/.test(part) && unit !== undefined ? [part + unit] : []
  })
  return [word, ...parts, ...amounts]
}

function cutWord(word: string): string {
  return word.length <= MAX_WORD ? word : [...word].slice(0, MAX_WORD).join('')
}
