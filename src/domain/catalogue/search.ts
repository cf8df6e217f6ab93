/** Finds products by words of their names, and by the synonyms that the trade uses for them. */
import { foldText } from '../documents/text.ts'

/**
 * A name folded by `foldText`, with its synonyms. Create it once per name, because folding is the expensive part of a
 * search.
 */
export type SearchText = {
  readonly folded: string
  /** More words that find the name, each after a space. Some may also be in the name. */
  readonly also: string
}

/** Each line lists forms with the same meaning. A product whose name contains one of them is found by all of them. */
const SYNONYMS = [
  ['edp', 'eau de parfum', 'eau de perfume'],
  ['edt', 'eau de toilette'],
  ['edc', 'eau de cologne'],
  ['parfum', 'perfume'],
  ['ysl', 'yves saint laurent'],
  ['jpg', 'jean paul gaultier'],
] as const

export function createSearchText(name: string): SearchText {
  const folded = foldText(name)
  const words = ` ${folded.match(/[a-z]+|\d+/g)?.join(' ') ?? ''} `
  const synonyms = SYNONYMS.filter((forms) => forms.some((form) => words.includes(` ${form} `))).flat()
  return { folded, also: ['', ...synonyms, ...joinUnits(folded)].join(' ') }
}

/**
 * Returns a test for names, which ignores accents and case. Each word of the query must be part of the name, or begin
 * one of the words of `also`. A blank query accepts every product without reading its `text`.
 */
export function createSearch(query: string): (product: { readonly text: SearchText }) => boolean {
  const words = splitQuery(foldText(query))
  return (product) =>
    words.every((word) => product.text.folded.includes(word) || product.text.also.includes(` ${word}`))
}

/**
 * Returns the words of a folded query without the punctuation around them. Words without a letter or digit are dropped,
 * unless the query has no others.
 */
export function splitQuery(folded: string): readonly string[] {
  return folded.match(/(?=[\p{L}\p{N}])\S*[\p{L}\p{N}]/gu) ?? folded.match(/\S+/g) ?? []
}

/**
 * Returns each amount joined with its unit: `100ml` for `100 ml`. The search compares only the beginning of these
 * words, so `5ml` does not find `75 ml`.
 */
function joinUnits(folded: string): readonly string[] {
  // The limit of ten characters avoids quadratic time: without it, the pattern would scan a long number again from each
  // of its digits.
  return (folded.match(/\d[\d.,]{0,9} [a-z]+/g) ?? []).map((amount) => amount.replace(' ', ''))
}
