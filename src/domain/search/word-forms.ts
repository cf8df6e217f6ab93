/**
 * Lists the texts by which a word of a query finds lines of the search files. On a line, each word of the name has a
 * space before and after it.
 */
import { findMeaning } from '../catalogue/plain-words.ts'
import { isOneLetterApart } from '../documents/text.ts'

/**
 * How well a word of a query may match a name, best first. `whole`: it is a whole word of the name, or means one.
 * `beginning`: it is that, or the beginning of a word. `part`: also inside a word, or several words written together.
 * `misspelt`: also one letter apart from a word. Each includes the matches before it.
 */
export type Match = 'whole' | 'beginning' | 'part' | 'misspelt'

/** A line has the word if it has all texts of one of its forms. */
export type Form = readonly string[]

/** For each word that is known, the number of files that have it. */
export type Vocabulary = ReadonlyMap<string, number>

/** Min characters of a query word that may match inside a word, and of words that may be joined to a misspelt one. */
const SHORTEST_PART = 3
/** Min and max letters of a word that may be several words written together, and the max number of these. */
const JOINED = /^[a-z]{5,24}$/
const MOST_PIECES = 4
/** The only one-letter words into which a joined word may be split: elided words, as in `l'interdit` and `j'adore`. */
const PIECE = /^(?:[djl]|..+)$/
/** Words of a query that may be misspelt, and the words that these may mean; shorter ones would find too many. */
const FORGIVABLE = /^[a-z]{4,16}$/
const SHORTEST_MEANT = { alone: 5, joined: 4 } as const
/** Max forms of a word with known words. Words in many files come first, so one seller does not replace the others'. */
const MOST_FORMS = 24

/** Returns the forms of a word in which it matches at least as well as `match`. */
export function listForms(word: string, match: Match, known: Vocabulary): readonly Form[] {
  const meaning = findMeaning(word)
  const meant = meaning === undefined ? [] : [[` ${meaning} `]]
  if (match === 'whole') return [[` ${word} `], ...meant]
  // A word with a digit has no parts: a part of an amount is another amount, so `5ml` must not find `75ml`.
  const hasParts = meaning === undefined && word.length >= SHORTEST_PART && !/[0-9]/.test(word)
  const plain = [[match !== 'beginning' && hasParts ? word : ` ${word}`], ...meant]
  if (match === 'beginning') return plain
  const lists = match === 'part' ? [splitWord] : [splitWord, listNear]
  return [...plain, ...lists.flatMap((list) => sortForms(list(word, known), known))]
}

/** Returns the ways to write a word as several known ones: `tom` and `ford` for `tomford`. */
export function splitWord(word: string, known: Pick<Vocabulary, 'has'>): readonly Form[] {
  if (!JOINED.test(word)) return []
  // The number of pieces grows with the length of the word, so that a short word is not split into tiny ones.
  const most = Math.min(MOST_PIECES, Math.floor((word.length + 1) / 3))
  return split(word, most, known).filter((pieces) => pieces.length > 1)
}

function split(rest: string, most: number, known: Pick<Vocabulary, 'has'>): readonly Form[] {
  if (rest === '') return [[]]
  if (most === 0) return []
  return [...rest].flatMap((_, index) => {
    const [piece, after] = [rest.slice(0, index + 1), rest.slice(index + 1)]
    if (!PIECE.test(piece) || !known.has(piece)) return []
    return split(after, most - 1, known).map((others) => [piece, ...others])
  })
}

/**
 * Returns the known words that are one letter apart from a word. Also returns pairs of known words that are if they are
 * written together: `good` and `girl` for `godgirl`.
 */
export function listNear(word: string, known: Pick<Vocabulary, 'has' | 'keys'>): readonly Form[] {
  if (!FORGIVABLE.test(word)) return []
  const list = (text: string, shortest: number): readonly string[] =>
    [...known.keys()].filter((one) => one.length >= shortest && isOneLetterApart(text, one))
  const forms: Form[] = list(word, SHORTEST_MEANT.alone).map((one) => [one])
  for (let end = SHORTEST_PART; end <= word.length - SHORTEST_PART; end += 1) {
    const [before, after] = [word.slice(0, end), word.slice(end)]
    if (known.has(before)) forms.push(...list(after, SHORTEST_MEANT.joined).map((one) => [before, one]))
    if (known.has(after)) forms.push(...list(before, SHORTEST_MEANT.joined).map((one) => [one, after]))
  }
  return forms
}

function sortForms(forms: readonly Form[], known: Vocabulary): readonly Form[] {
  const count = (form: Form): number => Math.min(...form.map((one) => known.get(one) ?? 0))
  return forms
    .toSorted((a, b) => count(b) - count(a))
    .slice(0, MOST_FORMS)
    .map((form) => form.map((one) => ` ${one} `))
}
