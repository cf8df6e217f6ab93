/** Decides how well the words of a query match the words of a name. */
import { findMeaning } from '../catalogue/plain-words.ts'
import type { Match } from './found-products.ts'
import { MATCHES } from './found-products.ts'
import { isSplittable, splitNear, splitWord } from './joined-words.ts'
import { isForgivable, isForgiving, isNearPiece, isOneLetterApart } from './near-words.ts'
import { LATER_MARK } from './search-file.ts'
import { hasParts, isTypable, SHORTEST_PART } from './words.ts'

type Test = (words: string, word: string) => boolean

/** `words` are those of a line of a search file, each between spaces. */
const TESTS: Readonly<Record<Match, Test>> = {
  whole: (words, word) => {
    const meaning = findMeaning(word)
    return words.includes(` ${word} `) || (meaning !== undefined && words.includes(` ${meaning} `))
  },
  beginning: (words, word) => words.includes(` ${word}`),
  part: (words, word) =>
    words.includes(LATER_MARK + word) ||
    (words.includes(word) && hasPart(words, word)) ||
    (isSplittable(word) && splitWord(word, (piece) => words.includes(` ${piece} `)).length > 0),
  misspelt: (words, word) =>
    isForgivable(word) &&
    (listFirst(words).some((one) => isForgiving(one) && isOneLetterApart(word, one)) ||
      splitNear(word, (piece) => words.includes(` ${piece} `)).some(({ other }) =>
        listFirst(words).some((one) => isNearPiece(other, one)),
      )),
}

/**
 * Returns how well the words of a line match: the match of the query word that matches worst, as an index of `MATCHES`.
 * Returns -1 if a word matches worse than `limit`.
 */
export function matchWords(words: string, query: readonly string[], limit: number): number {
  let worst = 0
  for (const word of query) {
    let match = 0
    while (match <= limit && !TESTS[MATCHES[match] ?? 'whole'](words, word)) match += 1
    if (match > limit) return -1
    worst = Math.max(worst, match)
  }
  return worst
}

function hasPart(words: string, word: string): boolean {
  if (word.length < SHORTEST_PART || findMeaning(word) !== undefined || !hasParts(word)) return false
  return listFirst(words).some((one) => one.includes(word) && hasParts(one) && isTypable(one))
}

function listFirst(words: string): readonly string[] {
  return words.split(' ').filter((word) => word !== '' && !word.startsWith(LATER_MARK))
}
