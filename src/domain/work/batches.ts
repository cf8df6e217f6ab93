/** Divides work into batches, and runs several items of work at the same time. */

/** Limits the sum of a measure over the items of a batch. */
export interface Limit<Item> {
  readonly most: number
  readonly measure: (item: Item) => number
}

/**
 * Yields batches of at most `most` items and within the limits. An item that alone exceeds a limit becomes a batch by
 * itself. Reads the items lazily, one at a time.
 */
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
 * Runs `work` for all items, at most `width` at a time. After an error, begins no further item, waits for the running
 * ones to end, and throws one of the errors.
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

/**
 * Yields each item to one of the loops that run at the same time. An error in one loop closes this generator, so that
 * no loop gets a further item.
 */
function* share<Item>(items: Iterable<Item>): Generator<Item> {
  yield* items
}
