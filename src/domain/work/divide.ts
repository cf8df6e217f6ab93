/** Divides items into batches. */

/** Bound of the sum of a measure over a batch. */
export interface Limit<Item> {
  readonly most: number
  readonly measure: (item: Item) => number
}

/** Yields batches of at most `most` items. One above a limit has a single item. Items are taken one at a time. */
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
