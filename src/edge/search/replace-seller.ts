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

/** The caller provides the transaction. */
export function replaceSeller(read: ReadRows, update: SellerUpdate): UpdateOutcome {
  const { bucket, seller, sequence, entry } = update
  const digest = update.digest ?? ''
  const [row] = read<SellerRow>(
    'SELECT sequence, digest, keys FROM sellers WHERE bucket = ? AND seller = ?',
    bucket,
    seller,
  )
  if (row !== undefined && isLate(row, update)) return 'late'
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
  const taken = new Set<number>()
  const isTaken = (key: number): boolean =>
    taken.has(key) || read('SELECT 1 FROM documents WHERE key = ?', key).length > 0
  return wanted.map(({ name, words, value, key: first }) => {
    const old = known.get(name)
    let key = first
    if (old !== undefined && isSameRank(old, first)) key = old
    else while (isTaken(key)) key = findNextKey(key)
    taken.add(key)
    return { key, words, value }
  })
}

/**
 * In the order of keys, each once: the index collects changes in memory as long as keys ascend. Otherwise it writes what it
 * has, a segment each time, and queries become slower.
 */
function writeDocuments(
  read: ReadRows,
  before: readonly ShardDocument[],
  after: readonly ShardDocument[],
): void {
  const [old, fresh] = [mapByKey(before), mapByKey(after)]
  const keys = [...new Set([...old.keys(), ...fresh.keys()])].sort((a, b) => a - b)
  for (const key of keys) writeDocument(read, old.get(key), fresh.get(key))
}

function writeDocument(read: ReadRows, old?: ShardDocument, fresh?: ShardDocument): void {
  const isIndexed = old?.words === fresh?.words
  if (old !== undefined && !isIndexed)
    read(`INSERT INTO word_index (word_index, rowid, words) VALUES ('delete', ?, ?)`, old.key, old.words)
  if (fresh !== undefined && !isIndexed)
    read('INSERT INTO word_index (rowid, words) VALUES (?, ?)', fresh.key, fresh.words)
  if (fresh === undefined) {
    if (old !== undefined) read('DELETE FROM documents WHERE key = ?', old.key)
  } else if (!isIndexed || old?.value !== fresh.value) {
    read('INSERT OR REPLACE INTO documents VALUES (?, ?, ?)', fresh.key, fresh.words, fresh.value)
  }
}

function mapByKey(documents: readonly ShardDocument[]): ReadonlyMap<number, ShardDocument> {
  return new Map(documents.map((document) => [document.key, document]))
}
