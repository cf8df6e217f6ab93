/** Replaces a seller in a shard, in transactions that write few rows. */
import type { PlacedSeller, SellerUpdate, UpdateOutcome } from '../../domain/search/search-index.ts'
import type { ChangePart } from './divide-changes.ts'
import { divideChanges } from './divide-changes.ts'
import type { NamedDocument, ShardDocument } from './shard-documents.ts'
import { createShardDocuments, findNextKey, isSameRank, parseName } from './shard-documents.ts'
import type { ReadRows, ShardTables } from './shard-tables.ts'
import { changeWords } from './word-tables.ts'
import { readByKeys, writeShardDocuments } from './write-documents.ts'

interface SellerRow {
  readonly tag: number
  readonly digest: string
  readonly keys: string
}

const KEEP_SELLER = `INSERT INTO sellers (bucket, seller, tag, digest, keys) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (bucket, seller) DO UPDATE
  SET tag = excluded.tag, digest = excluded.digest, keys = excluded.keys`

/** Updates the counts with each change, because counting would read every row of `sellers`. */
const CHANGE_COUNTS = 'UPDATE notes SET sellers = sellers + ?, products = products + ?'

/**
 * The digest of a seller between two transactions of a replacement. If the replacement is interrupted, the next
 * comparison finds that this digest is wrong, and repairs the seller.
 */
const UNFINISHED = 'unfinished'

export interface ReplaceStep {
  /** Max rows that the step writes, excluding those of the full-text index. */
  readonly rows: number
  /** Must be called in a transaction, before the next step is requested. */
  readonly write: () => void
}

/** Formats a tag for writers. A new epoch changes all tags, including those of sellers without a row. */
export function formatSellerTag(epoch: string, tag: number): string {
  return `${epoch} ${tag}`
}

/** Returns how often the seller was put since its row was created; 0 for a seller without a row. */
export function readTag(read: ReadRows, { bucket, seller }: PlacedSeller): number {
  const query = 'SELECT tag FROM sellers WHERE bucket = ? AND seller = ?'
  return read<{ tag: number }>(query, bucket, seller)[0]?.tag ?? 0
}

/** Yields the steps, and returns the outcome. No other update of the shard may run between the steps. */
export function* replaceSeller(
  { read, salt, epoch }: ShardTables,
  { bucket, seller, seen, entry, digest: wanted }: SellerUpdate,
): Generator<ReplaceStep, UpdateOutcome> {
  const digest = wanted ?? ''
  const [row] = read<SellerRow>(
    'SELECT tag, digest, keys FROM sellers WHERE bucket = ? AND seller = ?',
    bucket,
    seller,
  )
  if (seen !== formatSellerTag(epoch, row?.tag ?? 0)) return 'beaten'
  const tag = (row?.tag ?? 0) + 1
  if (row?.digest === digest) {
    // The tag changes although the data is equal. Otherwise a writer that saw the old tag, and then read older data,
    // could replace this data.
    const write = (): void =>
      void read('UPDATE sellers SET tag = ? WHERE bucket = ? AND seller = ?', tag, bucket, seller)
    yield { rows: 1, write }
    return 'equal'
  }
  const before = readNamed(read, row?.keys ?? '[]')
  const after = assignKeys(read, before, entry === null ? [] : createShardDocuments(entry, salt))
  const keys = new Set(before.map(({ key }) => key))
  let counted = count(row?.digest ?? '', keys)
  for (const part of divideChanges(before, after)) {
    const write = (): void => {
      writePart(read, part, keys)
      const told = part.isLast ? digest : UNFINISHED
      read(KEEP_SELLER, bucket, seller, tag, told, JSON.stringify([...keys]))
      const now = count(told, keys)
      const change = [now.sellers - counted.sellers, now.products - counted.products] as const
      if (change.some((one) => one !== 0)) read(CHANGE_COUNTS, ...change)
      counted = now
    }
    yield { rows: part.rows + 2, write }
  }
  return 'stored'
}

/**
 * Counts the seller and its products. One of the keys is that of the seller's own document. An empty digest means that
 * the seller was removed.
 */
function count(
  digest: string,
  keys: ReadonlySet<number>,
): { readonly sellers: number; readonly products: number } {
  return digest === '' ? { sellers: 0, products: 0 } : { sellers: 1, products: keys.size - 1 }
}

/** Writes the part, and updates `keys`, which contains the keys of all documents of the seller. */
function writePart(read: ReadRows, part: ChangePart, keys: Set<number>): void {
  writeShardDocuments(read, part.changes)
  changeWords(read, part)
  for (const { old } of part.changes) if (old !== null) keys.delete(old.key)
  for (const { fresh } of part.changes) if (fresh !== null) keys.add(fresh.key)
}

function readNamed(read: ReadRows, keys: string): readonly NamedDocument[] {
  const known: readonly number[] = JSON.parse(keys)
  const documents = readByKeys<ShardDocument>(read, 'SELECT key, words, value', known)
  return documents.map((one) => ({ ...one, name: parseName(one.value) }))
}

/**
 * Returns the new documents with their final keys. A document whose rank has not changed keeps its key. The others get
 * keys that no document of the shard has.
 */
function assignKeys(
  read: ReadRows,
  before: readonly NamedDocument[],
  wanted: readonly NamedDocument[],
): readonly NamedDocument[] {
  const known = new Map(before.map(({ key, name }) => [name, key]))
  const kept = wanted.map(({ name, key }) => {
    const old = known.get(name)
    return old !== undefined && isSameRank(old, key) ? old : null
  })
  const taken = new Set([...kept.filter((key) => key !== null), ...readTaken(read, wanted)])
  return wanted.map((one, index) => {
    const key = kept[index] ?? findFreeKey(read, one.key, taken)
    taken.add(key)
    return { ...one, key }
  })
}

function readTaken(read: ReadRows, documents: readonly ShardDocument[]): readonly number[] {
  const keys = documents.map(({ key }) => key)
  return readByKeys<{ key: number }>(read, 'SELECT key', keys).map(({ key }) => key)
}

function findFreeKey(read: ReadRows, first: number, taken: ReadonlySet<number>): number {
  if (!taken.has(first)) return first
  const isTaken = (one: number): boolean =>
    taken.has(one) || read('SELECT 1 FROM documents WHERE key = ?', one).length > 0
  let key = findNextKey(first)
  while (isTaken(key)) key = findNextKey(key)
  return key
}
