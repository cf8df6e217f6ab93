/** Divides the replacement of a seller's documents into parts that each write few rows. Pure. */
import type { NamedDocument, ShardDocument } from './shard-documents.ts'
import { countWordRows, listDocumentWords } from './word-tables.ts'
import type { DocumentChange } from './write-documents.ts'

/**
 * Max rows that a part writes, unless a single document needs more. Rows that the full-text index itself writes are not
 * counted.
 */
const MOST_ROWS = 1_200

/**
 * A new document and the one that it replaces are in the same part, so that a search between two parts finds exactly
 * one of them.
 */
export interface ChangePart {
  readonly changes: readonly DocumentChange[]
  /** Words that the seller gains through this part. */
  readonly come: ReadonlySet<string>
  /** Words that the seller loses through this part. */
  readonly gone: ReadonlySet<string>
  /** Max rows that the part writes, excluding those of the full-text index. */
  readonly rows: number
  readonly isLast: boolean
}

/** `before` and `after` each contain all documents of one seller. Yields at least one part. */
export function* divideChanges(
  before: readonly NamedDocument[],
  after: readonly NamedDocument[],
): Generator<ChangePart> {
  const counts = countWords(before)
  let part = createPart()
  for (const change of pairDocuments(before, after)) {
    const moved = moveWords(counts, change)
    const rows = countRows(change, moved)
    if (part.rows > 0 && part.rows + rows > MOST_ROWS) {
      yield part
      part = createPart()
    }
    addChange(part, change, moved)
    part.rows += rows
  }
  yield { ...part, isLast: true }
}

/**
 * Pairs each old document with the new one of the same name, or with `null` if there is no such document. Returns the
 * pairs that differ.
 */
function pairDocuments(
  before: readonly NamedDocument[],
  after: readonly NamedDocument[],
): readonly DocumentChange[] {
  const known = new Set(before.map(({ name }) => name))
  const named = new Map(after.map((one) => [one.name, one]))
  const kept = before.map((old): DocumentChange => ({ old, fresh: named.get(old.name) ?? null }))
  const added = after
    .filter(({ name }) => !known.has(name))
    .map((fresh): DocumentChange => ({ old: null, fresh }))
  return [...kept, ...added].filter(
    ({ old, fresh }) => old?.key !== fresh?.key || old?.words !== fresh?.words || old?.value !== fresh?.value,
  )
}

/** Returns how many documents have each word. */
function countWords(documents: readonly ShardDocument[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of documents.flatMap(listDocumentWords)) addCount(counts, word, 1)
  return counts
}

interface MovedWords {
  readonly come: readonly string[]
  readonly gone: readonly string[]
}

/** Updates the counts of words for a change. Returns the words that the seller gains and loses. */
function moveWords(counts: Map<string, number>, { old, fresh }: DocumentChange): MovedWords {
  const [left, taken] = [old, fresh].map((one) => new Set(one === null ? [] : listDocumentWords(one)))
  const come = [...(taken ?? [])].filter((word) => left?.has(word) === false)
  const gone = [...(left ?? [])].filter((word) => taken?.has(word) === false)
  return {
    come: come.filter((word) => addCount(counts, word, 1) === 1),
    gone: gone.filter((word) => addCount(counts, word, -1) === 0),
  }
}

function addCount(counts: Map<string, number>, word: string, by: number): number {
  const count = (counts.get(word) ?? 0) + by
  counts.set(word, count)
  return count
}

/**
 * Returns the max number of rows that a change writes: one for the document, one for each entry that is deleted from or
 * inserted into the full-text index, and for each gained or lost word the rows that the word takes if no other seller
 * has it. A lost word writes one row more, because its count is updated before it is deleted. Rows that the full-text
 * index writes into its own tables are not counted.
 */
function countRows({ old, fresh }: DocumentChange, { come, gone }: MovedWords): number {
  const documents = 1 + Number(old !== null) + Number(fresh !== null)
  return [...come, ...gone].reduce((rows, word) => rows + countWordRows(word), documents + gone.length)
}

function createPart() {
  const changes: DocumentChange[] = []
  const [come, gone] = [new Set<string>(), new Set<string>()]
  return { changes, come, gone, rows: 0, isLast: false }
}

function addChange(
  part: ReturnType<typeof createPart>,
  change: DocumentChange,
  { come, gone }: MovedWords,
): void {
  part.changes.push(change)
  for (const word of come) if (!part.gone.delete(word)) part.come.add(word)
  for (const word of gone) if (!part.come.delete(word)) part.gone.add(word)
}
