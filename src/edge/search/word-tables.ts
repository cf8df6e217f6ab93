/** Maintains the tables of a shard's distinct words. A word is deleted when no seller has it. */
import { isForgiving, leaveOneOut } from '../../domain/search/near-words.ts'
import { hasParts, isTypable, SHORTEST_PART } from '../../domain/search/words.ts'
import type { ShardDocument } from './shard-documents.ts'
import { isMark, LATER_MARK, SELLER_MARK } from './shard-documents.ts'
import type { ReadRows } from './shard-tables.ts'

const COUNT_MORE = `INSERT INTO words SELECT value, 1 FROM json_each(?) WHERE true
  ON CONFLICT (word) DO UPDATE SET sellers = sellers + 1 RETURNING word, sellers`
const COUNT_FEWER = `UPDATE words SET sellers = sellers - 1
  WHERE word IN (SELECT value FROM json_each(?)) RETURNING word, sellers`

interface ChangedWords {
  readonly come: ReadonlySet<string>
  readonly gone: ReadonlySet<string>
}

interface Counted {
  readonly word: string
  readonly sellers: number
}

/** Updates the tables for the words that a seller gains and loses. */
export function changeWords(read: ReadRows, { come, gone }: ChangedWords): void {
  if (come.size > 0) addForms(read, findCounted(read, { query: COUNT_MORE, words: come, sellers: 1 }))
  if (gone.size > 0) removeWords(read, findCounted(read, { query: COUNT_FEWER, words: gone, sellers: 0 }))
}

/** Returns the number of rows that a word takes in the tables if no other seller has it. */
export function countWordRows(word: string): number {
  return 1 + listEnds(word).length + listGaps(word).length
}

interface CountedWords {
  readonly query: string
  readonly words: ReadonlySet<string>
  readonly sellers: number
}

/**
 * Runs the query, which changes the count of each word by one. Returns the words whose count is then equal to
 * `sellers`: 1 selects words that are new, and 0 selects words whose last seller is gone.
 */
function findCounted(read: ReadRows, { query, words, sellers }: CountedWords): readonly string[] {
  return read<Counted>(query, JSON.stringify([...words]))
    .filter((counted) => counted.sellers === sellers)
    .map(({ word }) => word)
}

function addForms(read: ReadRows, words: readonly string[]): void {
  for (const [table, rows] of listForms(words))
    read(`INSERT INTO ${table} SELECT value ->> 0, value ->> 1 FROM json_each(?)`, rows)
}

function removeWords(read: ReadRows, words: readonly string[]): void {
  if (words.length > 0)
    read('DELETE FROM words WHERE word IN (SELECT value FROM json_each(?))', JSON.stringify(words))
  for (const [table, rows] of listForms(words))
    read(
      `DELETE FROM ${table} WHERE (part, word) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))`,
      rows,
    )
}

/**
 * Returns each table's rows for these words as JSON, so that one statement per table adds or deletes them all: a
 * statement for each row would cost more.
 */
function listForms(words: readonly string[]): readonly (readonly [table: string, rows: string])[] {
  const list = (listParts: (word: string) => readonly string[]): readonly (readonly [string, string])[] =>
    words.flatMap((word) => listParts(word).map((part) => [part, word] as const))
  return Object.entries({ word_ends: list(listEnds), word_gaps: list(listGaps) })
    .filter(([, rows]) => rows.length > 0)
    .map(([table, rows]) => [table, JSON.stringify(rows)])
}

/** Returns the ends of a word that are long enough to be searched for: `ngel` and `gel` for `angel`. */
function listEnds(word: string): readonly string[] {
  if (isMarked(word) || !hasParts(word) || !isTypable(word)) return []
  const letters = [...word]
  return letters.slice(SHORTEST_PART).map((_, index) => letters.slice(index + 1).join(''))
}

function listGaps(word: string): readonly string[] {
  return isMarked(word) || !isForgiving(word) ? [] : leaveOneOut(word)
}

function isMarked(word: string): boolean {
  return word.startsWith(SELLER_MARK) || word.startsWith(LATER_MARK)
}

/** Returns the words of a document. Words of a seller's name are also returned with the prefix `SELLER_MARK`. */
export function listDocumentWords({ words }: ShardDocument): readonly string[] {
  const own = words.split(' ').filter((word) => word !== '' && !isMark(word))
  return words.startsWith(SELLER_MARK) ? [...own, ...own.map((word) => SELLER_MARK + word)] : own
}
