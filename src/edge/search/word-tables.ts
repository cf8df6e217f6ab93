/** Keeps the distinct words of a shard: each as long as a seller has it. */
import { isForgiving, leaveOneOut } from '../../domain/search/near-words.ts'
import { hasParts, isTypable, SHORTEST_PART } from '../../domain/search/words.ts'
import type { ShardDocument } from './shard-documents.ts'
import { SELLER_MARK } from './shard-documents.ts'
import type { ReadRows } from './shard-tables.ts'

const COUNT_MORE = `INSERT INTO words SELECT value, 1 FROM json_each(?) WHERE true
  ON CONFLICT (word) DO UPDATE SET sellers = sellers + 1 RETURNING word, sellers`
const COUNT_FEWER = `UPDATE words SET sellers = sellers - 1
  WHERE word IN (SELECT value FROM json_each(?)) RETURNING word, sellers`

interface Counted {
  readonly word: string
  readonly sellers: number
}

/** `before` and `after` are all documents of one seller. */
export function changeWords(
  read: ReadRows,
  before: readonly ShardDocument[],
  after: readonly ShardDocument[],
): void {
  const [old, fresh] = [gatherWords(before), gatherWords(after)]
  const gone = [...old].filter((word) => !fresh.has(word))
  const come = [...fresh].filter((word) => !old.has(word))
  if (come.length > 0) {
    const counted = read<Counted>(COUNT_MORE, JSON.stringify(come))
    for (const { word, sellers } of counted) if (sellers === 1) addForms(read, word)
  }
  if (gone.length > 0) {
    const counted = read<Counted>(COUNT_FEWER, JSON.stringify(gone))
    for (const { word, sellers } of counted) if (sellers === 0) removeWord(read, word)
  }
}

function addForms(read: ReadRows, word: string): void {
  for (const [table, parts] of listForms(word))
    read(`INSERT INTO ${table} SELECT value, ? FROM json_each(?)`, word, JSON.stringify(parts))
}

function removeWord(read: ReadRows, word: string): void {
  read('DELETE FROM words WHERE word = ?', word)
  for (const [table, parts] of listForms(word))
    read(
      `DELETE FROM ${table} WHERE word = ? AND part IN (SELECT value FROM json_each(?))`,
      word,
      JSON.stringify(parts),
    )
}

function listForms(word: string): readonly (readonly [table: string, parts: readonly string[]])[] {
  if (word.startsWith(SELLER_MARK)) return []
  return [
    ['word_ends', hasParts(word) && isTypable(word) ? listEnds(word) : []],
    ['word_gaps', isForgiving(word) ? leaveOneOut(word) : []],
  ]
}

/** `angel` gives `ngel` and `gel`. */
function listEnds(word: string): readonly string[] {
  const letters = [...word]
  return letters.slice(SHORTEST_PART).map((_, index) => letters.slice(index + 1).join(''))
}

/** The words of a seller's name count as such, too. */
function gatherWords(documents: readonly ShardDocument[]): ReadonlySet<string> {
  const words = documents.flatMap((document) => {
    const own = document.words.split(' ').filter((word) => word !== '' && word !== SELLER_MARK)
    return document.words.startsWith(SELLER_MARK) ? [...own, ...own.map((word) => SELLER_MARK + word)] : own
  })
  return new Set(words)
}
