/** Turns the words of a query into expressions of the index, from the distinct words that it has. */
import { isForgivable, isOneLetterApart, leaveOneOut } from '../../domain/search/near-words.ts'
import type { Match } from '../../domain/pages/found-products.ts'
import { hasParts, SHORTEST_PART } from '../../domain/search/words.ts'
import type { ReadRows } from './shard-tables.ts'

/** Max words that a word of a query may stand for. */
const MOST_WORDS = 64
/** Beginnings up to this length have an index of their own. */
const LONGEST_PREFIX = 3
/** Greater than every text that begins with the text before it. */
const LAST = '\u{10FFFF}'

/** A term of an expression: a word of the index, or the beginning of one. What nobody sells never gets into it. */
interface Term {
  readonly text: string
  /** Number of sellers that have it. */
  readonly sellers: number
}

interface WordRow {
  readonly word: string
  readonly sellers: number
}

type Expand = (read: ReadRows, word: string) => readonly Term[]

const EXPANSIONS: Readonly<Record<Match, Expand>> = {
  whole: expandWhole,
  beginning: expandBeginning,
  part: (read, word) => [...expandBeginning(read, word), ...expandPart(read, word)],
  misspelt: (read, word) => [...EXPANSIONS.part(read, word), ...expandMisspelt(read, word)],
}

/**
 * Returns an expression for documents that have all words, in this way or a better one; `null` if none has. The rarest
 * word comes first: the index reads all of its documents, and skips most of those of the others.
 */
export function formatExpression(read: ReadRows, words: readonly string[], match: Match): string | null {
  const expanded = words.map((word) => EXPANSIONS[match](read, word))
  if (expanded.length === 0 || expanded.some(({ length }) => length === 0)) return null
  return expanded
    .map((terms) => ({ terms, sellers: terms.reduce((sum, term) => sum + term.sellers, 0) }))
    .sort((a, b) => a.sellers - b.sellers)
    .map(({ terms }) => `(${[...new Set(terms.map(({ text }) => text))].join(' OR ')})`)
    .join(' AND ')
}

function expandWhole(read: ReadRows, word: string): readonly Term[] {
  return read<WordRow>('SELECT word, sellers FROM words WHERE word = ?', word).map(createTerm)
}

function expandBeginning(read: ReadRows, word: string): readonly Term[] {
  const limit = [...word].length <= LONGEST_PREFIX ? 1 : MOST_WORDS + 1
  const found = read<WordRow>(
    'SELECT word, sellers FROM words WHERE word >= ? AND word < ? ORDER BY word LIMIT ?',
    word,
    word + LAST,
    limit,
  )
  // The index reads the documents of words one by one. Those of a prefix, unless it is short, it gathers first.
  return found.length < limit ? found.map(createTerm) : [{ text: `"${word}"*`, sellers: Infinity }]
}

function expandPart(read: ReadRows, word: string): readonly Term[] {
  if ([...word].length < SHORTEST_PART || !hasParts(word)) return []
  return read<WordRow>(
    `SELECT word, sellers FROM word_ends JOIN words USING (word)
    WHERE part >= ? AND part < ? ORDER BY part, word LIMIT ?`,
    word,
    word + LAST,
    MOST_WORDS,
  ).map(createTerm)
}

function expandMisspelt(read: ReadRows, word: string): readonly Term[] {
  if (!isForgivable(word)) return []
  return read<WordRow>(
    `SELECT DISTINCT word, sellers FROM word_gaps JOIN words USING (word)
    WHERE part IN (SELECT value FROM json_each(?)) ORDER BY sellers DESC, word LIMIT ?`,
    JSON.stringify(leaveOneOut(word)),
    MOST_WORDS,
  )
    .filter((near) => isOneLetterApart(word, near.word))
    .map(createTerm)
}

function createTerm({ word, sellers }: WordRow): Term {
  return { text: `"${word}"`, sellers }
}
