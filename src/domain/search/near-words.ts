/**
 * Finds words that differ in one letter: one letter is wrong, missing or added, or two neighbouring letters are
 * swapped.
 */
import { isTypable } from './words.ts'

/** Min letters of an indexed word that a misspelt word of a query may find. */
const SHORTEST_FOUND = 5
/**
 * Min letters of a misspelt word of a query. One fewer than `SHORTEST_FOUND`, because the query may lack a letter of
 * the indexed word.
 */
const SHORTEST_TYPED = SHORTEST_FOUND - 1

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz'
/** Corrections of a piece that are looked up. Shorter ones would match too many words. */
const NEAR_PIECE = /^[a-z]{4,}$/

const LETTERS = /^\p{L}+$/u

/**
 * Returns whether a misspelt word of a query may find this indexed word. Returns false for an amount such as `100ml`,
 * because a wrong digit makes it a different amount.
 */
export function isForgiving(word: string): boolean {
  return [...word].length >= SHORTEST_FOUND && isTypable(word) && LETTERS.test(word)
}

/** Returns whether a word of a query may be misspelt. */
export function isForgivable(word: string): boolean {
  return [...word].length >= SHORTEST_TYPED && LETTERS.test(word)
}

/**
 * Returns the texts that are one letter apart from a piece of a joined word, limited to those of at least four letters
 * from a to z.
 */
export function listNear(piece: string): readonly string[] {
  const near = new Set<string>()
  for (let at = 0; at <= piece.length; at += 1) {
    const [before, after] = [piece.slice(0, at), piece.slice(at)]
    near.add(before + after.slice(1))
    near.add(before + after.slice(1, 2) + after.slice(0, 1) + after.slice(2))
    for (const letter of ALPHABET) near.add(before + letter + after).add(before + letter + after.slice(1))
  }
  near.delete(piece)
  return [...near].filter((one) => NEAR_PIECE.test(one))
}

/** Returns whether `listNear` returns `word` for this piece. */
export function isNearPiece(piece: string, word: string): boolean {
  return NEAR_PIECE.test(word) && isOneLetterApart(piece, word)
}

export function isOneLetterApart(one: string, other: string): boolean {
  const [a, b] = [[...one], [...other]]
  let start = 0
  while (start < a.length && a[start] === b[start]) start += 1
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
  const isSwapped = left.length === 2 && left[0] === right[1] && left[1] === right[0] && right.length === 2
  return isSwapped || (left.length <= 1 && right.length <= 1)
}
