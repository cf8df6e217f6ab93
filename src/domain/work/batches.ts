/** Divides work into batches, and runs it a few items at a time. */

/** Bound of the sum of a measure over a batch. */
export interface Limit<Item> {
  readonly most: number
  readonly measure: (item: Item) => number
}

/** Yields batches of at most `most` items. A batch above a limit has one item. Items are taken one at a time. */
export function* divide<Item>(
  items: Iterable<Item>,
  most: number,
  ...limits: readonly Limit<Item>[]
): Generator<readonly Item[]> {
  let batch: Item[] = []
  let sums = limits.map(() => 0)
  for (const item of items) {
    const sizes = limits.map(({ measure }) => measure(item))
    const isFull = limits.some((limit, index) => (sums[index] ?? 0) + (sizes[index] ?? 0) > limit.most)
    if (batch.length === most || (batch.length > 0 && isFull)) {
      yield batch
      batch = []
      sums = limits.map(() => 0)
    }
    batch.push(item)
    sums = sums.map((sum, index) => sum + (sizes[index] ?? 0))
  }
  if (batch.length > 0) yield batch
}

/**
 * All lanes share the items: each takes the next one. After an error no further item is begun, and the error is thrown once
 * the other lanes have ended.
 */
export async function inLanes<Item>(
  items: Iterable<Item>,
  width: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const shared = share(items)
  const runLane = async (): Promise<void> => {
    for (const item of shared) await work(item)
  }
  const ends = await Promise.allSettled(Array.from({ length: width }, runLane))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

/** A lane that ends early closes the generator, which also ends the other lanes. */
function* share<Item>(items: Iterable<Item>): Generator<Item> {
  yield* items
}
