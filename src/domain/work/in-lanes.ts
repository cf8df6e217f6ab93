/** Runs asynchronous work on a few items at a time. */

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

/** A loop that ends early closes a generator, also for the other lanes. */
function* share<Item>(items: Iterable<Item>): Generator<Item> {
  yield* items
}
