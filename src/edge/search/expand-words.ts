/** Turns the words of a query into expressions for the full-text index. Looks up similar words that the index has. */
import { findMeaning } from '../../domain/catalogue/plain-words.ts'
import { isSplittable, listPieces, splitNear, splitWord } from '../../domain/search/joined-words.ts'
import { isForgivable, isOneLetterApart, leaveOneOut, listNear } from '../../domain/search/near-words.ts'
import type { Match } from '../../domain/pages/found-products.ts'
import { hasParts, SHORTEST_PART } from '../../domain/search/words.ts'
import { LATER_MARK } from './shard-documents.ts'
import type { ReadRows } from './shard-tables.ts'

/**
 * Max words of the index that an expression contains for one word of a query and one way to match, such as by its
 * beginning.
 */
const MOST_WORDS = 64
/** Max length of a prefix for which the full-text index has a separate index. */
const LONGEST_PREFIX = 3
/** The highest character. Appended to a prefix, it gives an upper bound of all texts with this prefix. */
const LAST = '\u{10FFFF}'
/** A word that no document has. */
const NOWHERE = '··'

/**
 * Returns an expression for documents that match every word at least as well as `match`; `null` if no document can. The
 * rarest word comes first, because the index reads all documents of the first word, and skips most documents of the
 * others.
 */
export type Express = (match: Match) => string | null

/**
 * A term of an expression: a word of the index, a prefix of one, or several words that must all occur. Text that
 * matches no word of the index never becomes a term.
 */
interface Term {
  readonly text: string
  /** Upper bound of the number of sellers that have this term; `Infinity` for a prefix. */
  readonly sellers: number
}

interface WordRow {
  readonly word: string
  readonly sellers: number
}

/**
 * Finds the words of the index that match a word of a query. Each result is read only once, and kept in memory until
 * the query ends.
 */
interface Vocabulary {
  /**
   * At most `limitBegun(word)` words that begin with `word`, ascending. The first is `word` itself, if the index has
   * it.
   */
  readonly begun: (word: string) => readonly WordRow[]
  readonly inside: (word: string) => readonly WordRow[]
  /**
   * Words that begin with `word` and come late in the name of a product. They are stored with the prefix `LATER_MARK`.
   * Products found by such a word come after products found by the words at the start of their names.
   */
  readonly later: (word: string) => readonly WordRow[]
  readonly near: (word: string) => readonly WordRow[]
  /** Lists of words that are equal to `word` when written together. */
  readonly joined: (word: string) => readonly (readonly WordRow[])[]
  /** Pairs of words that, written together, are one letter apart from `word`. */
  readonly nearJoined: (word: string) => readonly (readonly WordRow[])[]
}

type Expand = (vocabulary: Vocabulary, word: string) => readonly Term[]

const EXPANSIONS: Readonly<Record<Match, Expand>> = {
  whole: (vocabulary, word) => [...expandWhole(vocabulary, word), ...expandMeaning(vocabulary, word)],
  beginning: (vocabulary, word) => [
    ...expandBeginning(vocabulary.begun(word), word),
    ...expandMeaning(vocabulary, word),
  ],
  part: (vocabulary, word) => [
    ...EXPANSIONS.beginning(vocabulary, word),
    ...vocabulary.inside(word).map(createTerm),
    ...expandBeginning(vocabulary.later(word), LATER_MARK + word),
    ...vocabulary.joined(word).map(joinTerms),
  ],
  misspelt: (vocabulary, word) => [
    ...EXPANSIONS.part(vocabulary, word),
    ...vocabulary.near(word).map(createTerm),
    ...vocabulary.nearJoined(word).map(joinTerms),
  ],
}

/**
 * Uses only words of the index that begin with `mark`, which may be empty. `words` are the words of the query, without
 * the mark.
 */
export function openExpressions(read: ReadRows, words: readonly string[], mark: string): Express {
  const readAll = (all: readonly string[]): WordMap => readWords(read, mark, all)
  const pieces = remember((word: string) => readAll(isSplittable(word) ? listPieces(word) : []))
  const vocabulary: Vocabulary = {
    begun: remember((word) => stripMark(readBegun(read, mark, word), mark)),
    later: remember((word) => (mark === '' ? readBegun(read, '', LATER_MARK + word) : [])),
    inside: remember((word) => stripMark(readInside(read, mark, word), mark)),
    near: remember((word) => stripMark(readNear(read, mark, word), mark).filter(isNear(word))),
    joined: remember((word) => splitKnown(word, pieces(word))),
    nearJoined: remember((word) => readNearJoined(word, pieces(word), readAll)),
  }
  return remember((match) => formatExpression(vocabulary, words, match))
}

function formatExpression(vocabulary: Vocabulary, words: readonly string[], match: Match): string | null {
  const expanded: (readonly Term[])[] = []
  for (const word of words) {
    const terms = EXPANSIONS[match](vocabulary, word)
    if (terms.length === 0) return null
    expanded.push(terms)
  }
  if (expanded.length === 0) return null
  return expanded
    .map((terms) => ({ terms, sellers: terms.reduce((sum, term) => sum + term.sellers, 0) }))
    .sort((a, b) => a.sellers - b.sellers)
    .map(({ terms }) => `(${[...new Set(terms.map(({ text }) => text))].join(' OR ')})`)
    .reduce((rarer, next, index) => `${index === 1 ? rarer : keepTogether(rarer)} AND ${next}`)
}

/**
 * Adds an `OR` with a word that no document has, because the index would otherwise flatten nested conjunctions into
 * one. In a flat conjunction, the index scans the documents of all words, even if two words share none. With the `OR`,
 * it looks for the next word only in documents that have all rarer words.
 */
function keepTogether(conjunction: string): string {
  return `((${conjunction}) OR "${NOWHERE}")`
}

function expandWhole({ begun }: Vocabulary, word: string): readonly Term[] {
  return begun(word)
    .slice(0, 1)
    .filter((row) => row.word === word)
    .map(createTerm)
}

function expandMeaning(vocabulary: Vocabulary, word: string): readonly Term[] {
  const meaning = findMeaning(word)
  return meaning === undefined ? [] : expandWhole(vocabulary, meaning)
}

/**
 * Returns the words as terms, or one prefix if there are too many words or the prefix is short. Words are faster: the
 * index reads their documents one by one, but for a prefix it first gathers all documents, unless the prefix is short.
 */
function expandBeginning(begun: readonly WordRow[], word: string): readonly Term[] {
  return begun.length < limitBegun(word) ? begun.map(createTerm) : [{ text: `"${word}"*`, sellers: Infinity }]
}

/**
 * Returns the max number of index words to read for the prefix `word`. For a short prefix it is one, because the
 * expression contains the prefix itself, and one word shows that the prefix occurs. Otherwise it is one more than an
 * expression may contain, to detect that there are too many.
 */
function limitBegun(word: string): number {
  return [...word].length <= LONGEST_PREFIX ? 1 : MOST_WORDS + 1
}

function readBegun(read: ReadRows, mark: string, word: string): readonly WordRow[] {
  return read(
    'SELECT word, sellers FROM words WHERE word >= ? AND word < ? ORDER BY word LIMIT ?',
    mark + word,
    mark + word + LAST,
    limitBegun(word),
  )
}

function readInside(read: ReadRows, mark: string, word: string): readonly WordRow[] {
  if ([...word].length < SHORTEST_PART || !hasParts(word) || findMeaning(word) !== undefined) return []
  return read(
    `SELECT words.word, sellers FROM word_ends JOIN words ON words.word = ? || word_ends.word
    WHERE part >= ? AND part < ? ORDER BY part, words.word LIMIT ?`,
    mark,
    word,
    word + LAST,
    MOST_WORDS,
  )
}

function readNear(read: ReadRows, mark: string, word: string): readonly WordRow[] {
  if (!isForgivable(word)) return []
  return read(
    `SELECT DISTINCT words.word, sellers FROM word_gaps JOIN words ON words.word = ? || word_gaps.word
    WHERE part IN (SELECT value FROM json_each(?)) ORDER BY sellers DESC, words.word LIMIT ?`,
    mark,
    JSON.stringify(leaveOneOut(word)),
    MOST_WORDS,
  )
}

type WordMap = ReadonlyMap<string, WordRow>

function splitKnown(word: string, known: WordMap): readonly (readonly WordRow[])[] {
  const splits = splitWord(word, (piece) => known.has(piece))
  return splits.map((pieces) => pieces.flatMap((piece) => known.get(piece) ?? []))
}

function readNearJoined(
  word: string,
  known: WordMap,
  readAll: (words: readonly string[]) => WordMap,
): readonly (readonly WordRow[])[] {
  const splits = splitNear(word, (piece) => known.has(piece)).map((one) => ({
    row: known.get(one.known),
    others: listNear(one.other),
  }))
  const near = readAll(splits.flatMap(({ others }) => others))
  return splits
    .flatMap(({ row, others }) => others.map((other) => [row, near.get(other)]))
    .map((rows) => rows.filter((one) => one !== undefined))
    .filter((rows) => rows.length === 2)
    .slice(0, MOST_WORDS)
}

/** Returns the given words that the index has, with the number of sellers of each. */
function readWords(read: ReadRows, mark: string, words: readonly string[]): WordMap {
  if (words.length === 0) return new Map()
  const rows: readonly WordRow[] = read(
    'SELECT word, sellers FROM words WHERE word IN (SELECT ? || value FROM json_each(?))',
    mark,
    JSON.stringify(words),
  )
  return new Map(stripMark(rows, mark).map((row) => [row.word, row]))
}

function isNear(word: string): (row: WordRow) => boolean {
  return (row) => isOneLetterApart(word, row.word)
}

function stripMark(rows: readonly WordRow[], mark: string): readonly WordRow[] {
  return mark === '' ? rows : rows.map((row) => ({ ...row, word: row.word.slice(mark.length) }))
}

function createTerm({ word, sellers }: WordRow): Term {
  return { text: `"${word}"`, sellers }
}

function joinTerms(rows: readonly WordRow[]): Term {
  const sellers = Math.min(...rows.map((row) => row.sellers))
  return { text: `(${rows.map(({ word }) => `"${word}"`).join(' AND ')})`, sellers }
}

function remember<Key, Value>(create: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, { readonly value: Value }>()
  return (key) => {
    const held = known.get(key) ?? { value: create(key) }
    known.set(key, held)
    return held.value
  }
}
