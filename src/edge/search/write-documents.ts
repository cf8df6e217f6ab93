/** Reads and writes documents of a shard in statements of a bounded size. */
import type { ShardDocument } from './shard-documents.ts'
import type { ReadRows } from './shard-tables.ts'

/** Of a statement. */
const MOST_ROWS = 100
/** Of the JSON of a statement: 1 MB in UTF-8. A text that is bound may have 2 MB in a Durable Object. */
const MOST_CHARACTERS = 333_000
/** Of a statement. */
const MOST_KEYS = 10_000
/** Of a call. A page of the full-text index goes through some five merges, each of which writes and removes it. */
const MERGED_PAGES = 150
export const MERGED_ROWS = 600

const WRITE_DOCUMENTS = `INSERT OR REPLACE INTO documents (key, words, value)
  SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)`
const WRITE_INDEX = `INSERT INTO word_index (word_index, rowid, words)
  SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)`

/** Reads the columns that `select` names. */
export function readByKeys<Row>(read: ReadRows, select: string, keys: readonly number[]): readonly Row[] {
  const query = `${select} FROM documents WHERE key IN (SELECT value FROM json_each(?))`
  const rows: Row[] = []
  for (let from = 0; from < keys.length; from += MOST_KEYS)
    rows.push(...read<Row>(query, JSON.stringify(keys.slice(from, from + MOST_KEYS))))
  return rows
}

/** Replaces documents by others. Touches only the rows that differ. */
export function writeDocuments(
  read: ReadRows,
  before: readonly ShardDocument[],
  after: readonly ShardDocument[],
): void {
  const [old, fresh] = [mapByKey(before), mapByKey(after)]
  const hasWords = (documents: ReadonlyMap<number, ShardDocument>, { key, words }: ShardDocument): boolean =>
    documents.get(key)?.words === words
  writeIndex(read, [
    ...before.filter((one) => !hasWords(fresh, one)).map(({ key, words }) => ['delete', key, words] as const),
    ...after.filter((one) => !hasWords(old, one)).map(({ key, words }) => [null, key, words] as const),
  ])
  const gone = before.filter(({ key }) => !fresh.has(key)).map(({ key }) => key)
  writeRows(read, 'DELETE FROM documents WHERE key IN (SELECT value FROM json_each(?))', gone)
  const changed = after.filter((one) => !hasWords(old, one) || old.get(one.key)?.value !== one.value)
  const rows = changed.map(({ key, words, value }) => [key, words, value])
  writeRows(read, WRITE_DOCUMENTS, rows)
}

/** Merges a part of the segments of the full-text index, if there are several of a size. Writes up to `MERGED_ROWS`. */
export function mergeSegments(read: ReadRows): void {
  read(`INSERT INTO word_index (word_index, rank) VALUES ('merge', ?)`, MERGED_PAGES)
}

type IndexRow = readonly [command: 'delete' | null, key: number, words: string]

/**
 * In the order of keys, and of one key the deletion first: the index collects changes in memory as long as keys ascend.
 * Otherwise it writes what it has, a segment each time, and queries become slower.
 */
function writeIndex(read: ReadRows, rows: readonly IndexRow[]): void {
  const sorted = rows.toSorted(
    ([a, one], [b, other]) => one - other || Number(a === null) - Number(b === null),
  )
  writeRows(read, WRITE_INDEX, sorted)
}

function writeRows(read: ReadRows, query: string, rows: readonly unknown[]): void {
  for (const texts of slice(rows.map((row) => JSON.stringify(row)))) read(query, `[${texts.join(',')}]`)
}

/** Each statement costs more than its rows, so there are as few as possible. */
function* slice(texts: readonly string[]): Generator<readonly string[]> {
  let part: string[] = []
  let length = 0
  for (const text of texts) {
    if (part.length === MOST_ROWS || (part.length > 0 && length + text.length > MOST_CHARACTERS)) {
      yield part
      part = []
      length = 0
    }
    part.push(text)
    length += text.length + 1
  }
  if (part.length > 0) yield part
}

function mapByKey(documents: readonly ShardDocument[]): ReadonlyMap<number, ShardDocument> {
  return new Map(documents.map((document) => [document.key, document]))
}
