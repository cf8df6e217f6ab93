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
/** Min characters of a query word that may match inside a word. A shorter one matches only the beginning. */
export const SHORTEST_PART = 3
/** Max words of a name, including those of its synonyms; the rest is ignored. */
export const MAX_NAME_WORDS = 24
/**
 * Max words at the start of a name that may match as `whole` or `beginning`. Later words match only as `part`, so that
 * a name with many words is not among the best results for every query.
 */
const MAX_RANKED_WORDS = 12
/** Max characters of a product's words, with a space after each; the other words are ignored. */
const MAX_LINE = 240
/** Max characters of a word; the rest is ignored. */
const MAX_WORD = 32
/**
 * Max characters of a word that can be found by a part or by a misspelt word. Each of these two ways costs the index a
 * row for each letter of the word.
 */
const LONGEST_TYPED = 16

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
  return findWords(name).toSorted()
}

/**
 * The words of `listWords`, divided by their place in the name: within the first `MAX_RANKED_WORDS` written words, or
 * after them.
 */
export interface RankedWords {
  /** Words from the first `MAX_RANKED_WORDS` written words, with their parts and synonyms. */
  readonly first: readonly string[]
  readonly later: readonly string[]
}

export function rankWords(name: string): RankedWords {
  // Counts the words of the unfolded name. Folding never adds words, because it removes the combining marks at which
  // `WORDS` splits a text.
  if ((name.match(WORDS)?.length ?? 0) <= MAX_RANKED_WORDS) return { first: listWords(name), later: [] }
  const folded = foldText(name)
  const end = [...folded.matchAll(WORDS)][MAX_RANKED_WORDS]?.index ?? folded.length
  const first = listWords(folded.slice(0, end))
  const later = findWords(name).filter((word) => !first.includes(word))
  return { first, later: later.slice(0, MAX_NAME_WORDS - first.length).sort() }
}

/** Returns the words of a product: those of its name, given as `named`, and of the decants that it offers. */
export function rankProduct(product: Product, named = rankWords(product.name)): RankedWords {
  const { first, later } = named
  const offered = readOffered(product).decants
  const sizes = Object.entries(offered).flatMap(([size, isOffered]) => (isOffered ? [size] : []))
  const decants = [...listDecants(offered), ...sizes.map(formatDecantWord)]
  let left = MAX_LINE
  const isKept = (word: string): boolean => (left -= word.length + 1) >= 0
  return {
    first: [...new Set([...decants, ...first])].filter(isKept).sort(),
    later: later.filter((word) => !decants.includes(word)).filter(isKept),
  }
}

/**
 * Returns the word that the index adds to each product that offers the decant of this size: `5mldecant` for `5ml`. The
 * words `decant` and `5ml` are not enough, because they may be in the name of a product that does not offer the decant.
 */
export function formatDecantWord(size: string): string {
  return `${size}decant`
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

/**
 * Returns whether a word can be found by a part of it that is not its beginning. A word with a digit cannot, because a
 * part of an amount is another amount: `5ml` must not find `75ml`.
 */
export function hasParts(word: string): boolean {
  return !/[0-9]/.test(word)
}

/** Returns whether a word is short enough to be found by a part that is not its beginning, or by a misspelt word. */
export function isTypable(word: string): boolean {
  return [...word].length <= LONGEST_TYPED
}

function findWords(name: string): readonly string[] {
  const text = createSearchText(name)
  const words = `${text.folded} ${listAlso(text)}`.match(WORDS) ?? []
  return [...new Set(words.flatMap(divideWord).map(cutWord))].slice(0, MAX_NAME_WORDS)
}

/** Returns `edp100ml`, `edp`, `100`, `ml` and `100ml` for `edp100ml`. */
function divideWord(word: string): readonly string[] {
  if (hasParts(word)) return [word]
  const parts = word.match(/[0-9]+|[^0-9]+/g) ?? []
  const amounts = parts.flatMap((part, index) => {
    const unit = parts[index + 1]
    return hasParts(part) || unit === undefined ? [] : [part + unit]
  })
  return [word, ...parts, ...amounts]
}

function cutWord(word: string): string {
  return word.length <= MAX_WORD ? word : [...word].slice(0, MAX_WORD).join('')
}
