/**
 * Searches products by queries in everyday language: extends `search.ts` with synonyms, word meanings and the removal
 * of filler words.
 */
import { foldText } from '../documents/text.ts'
import { dropEmpty, findMeaning, rewriteQuery, rewriteText } from './plain-words.ts'
import type { SearchText } from './search.ts'
import { createSearchText, splitQuery } from './search.ts'

/** Each line lists forms of the name of one perfume or maker. */
const SYNONYMS = [
  ['dg', 'dolce gabbana'],
  ['ck', 'calvin klein'],
  ['mfk', 'maison francis kurkdjian'],
  ['1 million', 'one million', 'un millon'],
  ['vie est belle', 'vida es bella'],
] as const

/** If `decants` is present, the product is also found by the words of its available decants. */
interface SearchedProduct {
  readonly text: SearchText
  /** Whether the decant of each size is available. */
  readonly decants?: Readonly<Record<string, boolean>>
}

const known = new WeakMap<SearchText, string>()

/** Returns `plain.also`, with the rewritten name and the meanings and synonyms of its words added. */
export function listAlso(plain: SearchText): string {
  const held = known.get(plain)
  if (held !== undefined) return held
  const text = rewriteText(plain.folded)
  const rewritten = text === plain.folded ? '' : ` ${text}${createSearchText(text).also}`
  const words = text.match(/[a-z]+|\d+/g) ?? []
  const line = ` ${words.join(' ')} `
  const more = [
    ...words.flatMap((word) => findMeaning(word) ?? []),
    ...SYNONYMS.filter((forms) => forms.some((form) => line.includes(` ${form} `))).flat(),
  ]
  const also = [plain.also + rewritten, ...more].join(' ')
  known.set(plain, also)
  return also
}

/**
 * Like `createSearch`, but ignores filler words of the query, knows more synonyms, and finds `Dolce Gabbana` by
 * `dolcegabbana`.
 */
export function createNaturalSearch(query: string): (product: SearchedProduct) => boolean {
  const words = dropEmpty(splitQuery(rewriteQuery(foldText(query))))
  const tests = words.map(createWordTest)
  return (product) => tests.every((isFound) => isFound(product))
}

/**
 * Returns the words that find a product by its available decants: `decant` and each size; none if no decant is
 * available.
 */
export function listDecants(decants: Readonly<Record<string, boolean>>): readonly string[] {
  const sizes = Object.entries(decants).flatMap(([size, isOffered]) => (isOffered ? [size] : []))
  return sizes.length === 0 ? [] : ['decant', ...sizes]
}

/**
 * Returns the test for one word of a query. A word of five letters or more also matches across the spaces of a name. A
 * word with digits does not: digits joined across a space would form another amount.
 */
function createWordTest(word: string): (product: SearchedProduct) => boolean {
  const meaning = findMeaning(word) ?? word
  const isJoined = /^[a-z]{5,}$/.test(word)
  return ({ text, decants = {} }) => {
    const { folded } = text
    if (folded.includes(word)) return true
    const also = listAlso(text)
    return (
      also.includes(` ${word}`) ||
      also.includes(` ${meaning}`) ||
      listDecants(decants).includes(meaning) ||
      (isJoined && folded.replace(/[^a-z\d]+/g, '').includes(word))
    )
  }
}
