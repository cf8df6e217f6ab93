/** Replaces a seller in a shard. Touches only the rows that differ. */
import type { SellerUpdate, UpdateOutcome } from '../../domain/search/search-index.ts'
import type { NamedDocument, ShardDocument } from './shard-documents.ts'
import { createDocuments, findNextKey, isSameRank, parseName } from './shard-documents.ts'
import type { ReadRows } from './shard-tables.ts'
import { changeWords } from './word-tables.ts'

interface SellerRow {
  readonly sequence: number
  readonly digest: string
  readonly keys: string
}

const KEEP_SELLER = `INSERT INTO sellers (bucket, seller, sequence, digest, keys) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (bucket, seller) DO UPDATE
  SET sequence = excluded.sequence, digest = excluded.digest, keys = excluded.keys`

/** Of a statement. */
const MOST_ROWS = 100

/** The caller provides the transaction. */
export function replaceSeller(read: ReadRows, update: SellerUpdate): UpdateOutcome {
  const { bucket, seller, sequence, entry } = update
  const digest = update.digest ?? ''
  const [row] = read<SellerRow>(
    'SELECT sequence, digest, keys FROM sellers WHERE bucket = ? AND seller = ?',
    bucket,
    seller,
  )
  if (row !== undefined && isLate(row, update))
    return row.sequence === sequence && row.digest === digest ? 'equal' : 'late'
  if (row?.digest === digest) {
    // Without the new sequence, an update that was read in between and comes later would replace this one.
    read('UPDATE sellers SET sequence = ? WHERE bucket = ? AND seller = ?', sequence, bucket, seller)
    return 'equal'
  }
  const before = readDocuments(read, row?.keys ?? '[]')
  const after = assignKeys(read, before, entry === null ? [] : createDocuments(entry))
  writeDocuments(read, before, after)
  changeWords(read, before, after)
  read(KEEP_SELLER, bucket, seller, sequence, digest, JSON.stringify(after.map(({ key }) => key)))
  return 'stored'
}

function isLate(row: SellerRow, { sequence, isRepair }: SellerUpdate): boolean {
  return isRepair ? sequence < row.sequence : sequence <= row.sequence
}

function readDocuments(read: ReadRows, keys: string): readonly ShardDocument[] {
  return read('SELECT key, words, value FROM documents WHERE key IN (SELECT value FROM json_each(?))', keys)
}

/** A document of the same rank keeps its key. Others get a key that is free, also of this seller's old documents. */
function assignKeys(
  read: ReadRows,
  before: readonly ShardDocument[],
  wanted: readonly NamedDocument[],
): readonly ShardDocument[] {
  const known = new Map(before.map(({ key, value }) => [parseName(value), key]))
  const kept = wanted.map(({ name, key }) => {
    const old = known.get(name)
    return old !== undefined && isSameRank(old, key) ? old : null
  })
  const taken = new Set([...kept.filter((key) => key !== null), ...readTaken(read, wanted)])
  return wanted.map(({ words, value, key: first }, index) => {
    const key = kept[index] ?? findFreeKey(read, first, taken)
    taken.add(key)
    return { key, words, value }
  })
}

function readTaken(read: ReadRows, documents: readonly ShardDocument[]): readonly number[] {
  const keys = JSON.stringify(documents.map(({ key }) => key))
  const rows = read<{ key: number }>(
    'SELECT key FROM documents WHERE key IN (SELECT value FROM json_each(?))',
    keys,
  )
  return rows.map(({ key }) => key)
}

function findFreeKey(read: ReadRows, first: number, taken: ReadonlySet<number>): number {
  if (!taken.has(first)) return first
  const isTaken = (one: number): boolean =>
    taken.has(one) || read('SELECT 1 FROM documents WHERE key = ?', one).length > 0
  let key = findNextKey(first)
  while (isTaken(key)) key = findNextKey(key)
  return key
}

function writeDocuments(
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

const WRITE_DOCUMENTS = `INSERT OR REPLACE INTO documents (key, words, value)
  SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)`
const WRITE_INDEX = `INSERT INTO word_index (word_index, rowid, words)
  SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)`

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

/** Each statement costs more than its rows. A text that is bound may have 2 MB in a Durable Object. */
function writeRows(read: ReadRows, query: string, rows: readonly unknown[]): void {
  for (let from = 0; from < rows.length; from += MOST_ROWS)
    read(query, JSON.stringify(rows.slice(from, from + MOST_ROWS)))
}

function mapByKey(documents: readonly ShardDocument[]): ReadonlyMap<number, ShardDocument> {
  return new Map(documents.map((document) => [document.key, document]))
}
