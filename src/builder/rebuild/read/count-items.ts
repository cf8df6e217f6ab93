/** Counts the items of a read while the read runs. */
import { setImmediate } from 'node:timers/promises'
import type { Batches } from '../../sources/batch-items.ts'
import { batchItems } from '../../sources/batch-items.ts'
import type { Items, LookedUp, UnchangedItem } from '../../sources/source.ts'

const STEP = 1_000

/**
 * Yields the items in batches. Calls `progress` with 0 first, then whenever at least `STEP` more documents were read,
 * with the number of documents read so far.
 */
export async function* countItems<T extends LookedUp | UnchangedItem>(
  items: Items<T>,
  progress: (count: number) => void,
): Batches<T> {
  let seen = 0
  let told = 0
  progress(0)
  for await (const batch of batchItems(items)) {
    yield batch
    for (const item of batch) seen += item.kind === 'unchanged' ? item.count : 1
    if (seen - told < STEP) continue
    progress((told = seen))
    // Yields to the event loop, so that the spinner turns even if the source reads synchronously.
    await setImmediate()
  }
}
