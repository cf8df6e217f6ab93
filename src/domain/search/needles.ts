/** Lists the texts by which lines that may match a word of a query are found. */
import { findMeaning } from '../catalogue/plain-words.ts'
import { MATCHES } from './found-products.ts'
import { isSplittable, splitNear, splitWord } from './joined-words.ts'
import { isForgivable, isForgiving, isOneLetterApart, listNear } from './near-words.ts'
import type { SearchFile } from './search-file.ts'
import { escapeText, unescapeText } from './search-file.ts'

/**
 * Returns texts of which each line contains one that matches `word` at least as well as `limit`, an index of
 * `MATCHES`.
 */
export type ListNeedles = (word: string, limit: number) => readonly string[]

const MISSPELT = MATCHES.indexOf('misspelt')

/**
 * Max words of the files for which a misspelt or joined word of a query is looked up. Words in many files come first,
 * so a seller's own words do not replace those of others.
 */
const MOST_NEEDLES = 24

/** Min letters of a word that is looked up without the space before it. */
const SHORTEST_FAST = 4

/** Returns, for each distinct word, the number of files that have it. */
type Vocabulary = () => ReadonlyMap<string, number>

function openVocabulary(files: readonly SearchFile[]): Vocabulary {
  let known: Map<string, number> | undefined
  return () => {
    if (known !== undefined) return known
    known = new Map()
    for (const { words } of files)
      for (const word of unescapeText(words).trim().split(' ')) known.set(word, (known.get(word) ?? 0) + 1)
    return known
  }
}

/** Returns a function that opens the needles of one query. `files` are all search files of a site. */
export function openNeedles(files: readonly SearchFile[]): () => ListNeedles {
  const vocabulary = openVocabulary(files)
  return () => rememberNeedles(vocabulary)
}

function rememberNeedles(vocabulary: Vocabulary): ListNeedles {
  const known = new Map<string, readonly string[]>()
  return (word, limit) => {
    const key = `${word} ${limit}`
    const needles = known.get(key) ?? listNeedles(vocabulary, word, limit)
    known.set(key, needles)
    return needles
  }
}

function listNeedles(vocabulary: Vocabulary, word: string, limit: number): readonly string[] {
  const meaning = findMeaning(word)
  const plain = [
    limit === 0 ? formatWhole(word) : word,
    ...(meaning === undefined ? [] : [formatWhole(meaning)]),
  ]
  const others = [
    ...(limit >= MATCHES.indexOf('part') ? listJoined(vocabulary, word) : []),
    ...(limit >= MISSPELT ? listMisspelt(vocabulary(), word) : []),
  ]
  return [...new Set([...plain, ...others])].map(escapeText)
}

/** The first letter of a long word is rarer than a space, so a text is searched faster without one. */
function formatWhole(word: string): string {
  return word.length < SHORTEST_FAST ? ` ${word} ` : `${word} `
}

/** Returns the longest piece of each way to split a word into several. */
function listJoined(vocabulary: Vocabulary, word: string): readonly string[] {
  if (!isSplittable(word)) return []
  const known = vocabulary()
  const longest = splitWord(word, (piece) => known.has(piece)).map(findLongest)
  return sortByFiles(known, longest)
}

function listMisspelt(known: ReadonlyMap<string, number>, word: string): readonly string[] {
  if (!isForgivable(word)) return []
  const [first, last] = [word.at(0), word.at(-1)]
  const near = [...known.keys()].filter(
    (one) =>
      // Two words that differ in one letter have the same first or last letter.
      (one.at(0) === first || one.at(-1) === last) &&
      Math.abs(one.length - word.length) <= 2 &&
      isForgiving(one) &&
      isOneLetterApart(word, one),
  )
  const joined = splitNear(word, (piece) => known.has(piece)).flatMap(({ known: piece, other }) =>
    listNear(other)
      .filter((one) => known.has(one))
      .map((one) => findLongest([piece, one])),
  )
  return [...sortByFiles(known, near), ...sortByFiles(known, joined)]
}

function sortByFiles(known: ReadonlyMap<string, number>, words: readonly string[]): readonly string[] {
  return [...new Set(words)]
    .sort((a, b) => (known.get(b) ?? 0) - (known.get(a) ?? 0) || (a < b ? -1 : 1))
    .slice(0, MOST_NEEDLES)
}

function findLongest(words: readonly string[]): string {
  return words.reduce((longest, word) => (word.length > longest.length ? word : longest), '')
}
