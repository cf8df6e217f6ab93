/** Reads and writes documents of a shard in statements of limited size. */
import { divide } from '../../domain/work/batches.ts'
import type { ShardDocument } from './shard-documents.ts'
import type { ReadRows } from './shard-tables.ts'

/** Max rows of a statement. */
const MOST_ROWS = 100
/** Max characters of the JSON of a statement: at most 1 MB in UTF-8. A Durable Object accepts texts of at most 2 MB. */
const MOST_CHARACTERS = 333_000
/** Max keys of a statement that reads. */
const MOST_KEYS = 10_000
/**
 * Max pages that one call of `mergeSegments` merges, and max rows that the call writes. A merge writes each page again
 * and removes the old page. Over time, each page of the full-text index is merged about five times.
 */
const MERGED_PAGES = 150
export const MERGED_ROWS = 600

const ADD_DOCUMENTS = `INSERT INTO documents (key, words, value)
  SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)`
// An update writes one row even if the key changes. A deletion and an insertion would write two.
const CHANGE_DOCUMENTS = `UPDATE documents SET key = row.value ->> 1, words = row.value ->> 2, value = row.value ->> 3
  FROM json_each(?) AS row WHERE documents.key = row.value ->> 0`
const REMOVE_DOCUMENTS = 'DELETE FROM documents WHERE key IN (SELECT value FROM json_each(?))'
const WRITE_INDEX = `INSERT INTO word_index (word_index, rowid, words)
  SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)`

/** Reads the documents with these keys. `select` is the beginning of the query, which names the columns. */
export function readByKeys<Row>(read: ReadRows, select: string, keys: readonly number[]): readonly Row[] {
  const query = `${select} FROM documents WHERE key IN (SELECT value FROM json_each(?))`
  const rows: Row[] = []
  for (let from = 0; from < keys.length; from += MOST_KEYS)
    rows.push(...read<Row>(query, JSON.stringify(keys.slice(from, from + MOST_KEYS))))
  return rows
}

/** A document before and after a change; `null` if it does not exist at that time. */
export interface DocumentChange {
  readonly old: ShardDocument | null
  readonly fresh: ShardDocument | null
}

/**
 * Writes the changes to the documents and the full-text index. The key of `fresh` must be unused, or equal to the key
 * of `old`.
 */
export function writeShardDocuments(read: ReadRows, changes: readonly DocumentChange[]): void {
  const moved = changes.filter(({ old, fresh }) => old?.key !== fresh?.key || old?.words !== fresh?.words)
  writeIndex(read, [
    ...moved.flatMap(({ old }) => (old === null ? [] : [['delete', old.key, old.words] as const])),
    ...moved.flatMap(({ fresh }) => (fresh === null ? [] : [[null, fresh.key, fresh.words] as const])),
  ])
  const [gone, added, changed]: [number[], unknown[], unknown[]] = [[], [], []]
  for (const { old, fresh } of changes) {
    if (fresh === null) gone.push(old?.key ?? 0)
    else if (old === null) added.push([fresh.key, fresh.words, fresh.value])
    else changed.push([old.key, fresh.key, fresh.words, fresh.value])
  }
  writeRows(read, REMOVE_DOCUMENTS, gone)
  writeRows(read, CHANGE_DOCUMENTS, changed)
  writeRows(read, ADD_DOCUMENTS, added)
}

/**
 * Merges some segments of the full-text index, if there are several of similar size. Writes up to `MERGED_ROWS` rows.
 */
export function mergeSegments(read: ReadRows): void {
  read(`INSERT INTO word_index (word_index, rank) VALUES ('merge', ?)`, MERGED_PAGES)
}

type IndexRow = readonly [command: 'delete' | null, key: number, words: string]

/**
 * Writes in the order of keys; for equal keys, the deletion comes before the insertion. While keys ascend, the index
 * collects changes in memory; otherwise it writes a segment each time, which slows queries down.
 */
function writeIndex(read: ReadRows, rows: readonly IndexRow[]): void {
  const sorted = rows.toSorted(
    ([a, one], [b, other]) => one - other || Number(a === null) - Number(b === null),
  )
  writeRows(read, WRITE_INDEX, sorted)
}

/** Writes the rows in a small number of statements, because a statement costs more than its rows. */
function writeRows(read: ReadRows, query: string, rows: readonly unknown[]): void {
  const texts = rows.map((row) => JSON.stringify(row))
  // A comma follows each text, except for the last one.
  const limit = { most: MOST_CHARACTERS + 1, measure: (text: string) => text.length + 1 }
  for (const part of divide(texts, MOST_ROWS, limit)) read(query, `[${part.join(',')}]`)
}
