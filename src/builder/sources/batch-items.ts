/**
 * Groups the items of a source into batches, so that a synchronous source costs one promise per batch, not one per
 * item.
 */
import type { Items, LookedUp, UnchangedItem } from './source.ts'

export type Batches<T> = AsyncIterable<readonly T[]>

/** Max items per batch. All items of a batch are in memory at the same time. */
const MOST = 100

export async function* batchItems<T extends LookedUp | UnchangedItem>(items: Items<T>): Batches<T> {
  if (Symbol.iterator in items) yield* cut(items)
  else for await (const item of items) yield [item]
}

// An `unchanged` item ends its batch early: it may count up to 1,000 documents, and progress is reported once per
// batch.
function* cut<T extends LookedUp | UnchangedItem>(items: Iterable<T>): Generator<readonly T[]> {
  let batch: T[] = []
  for (const item of items) {
    batch.push(item)
    if (batch.length < MOST && item.kind !== 'unchanged') continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
