/** Puts items into batches, so that a source that reads without waiting does not need a promise for each item. */
import type { Items, LookedUp, UnchangedItem } from './source.ts'

export type Batches<T> = AsyncIterable<readonly T[]>

/** Max items of a batch, which are in memory together. */
const MOST = 100

export async function* batchItems<T extends LookedUp | UnchangedItem>(items: Items<T>): Batches<T> {
  if (Symbol.iterator in items) yield* cut(items)
  else for await (const item of items) yield [item]
}

// Ends a batch at an item of the kind `unchanged`, because it counts many documents.
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
