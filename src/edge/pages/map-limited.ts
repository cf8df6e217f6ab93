/** Runs asynchronous work on a list, a few items at a time: an object may be large, and a Worker's memory is small. */

/** Returns the results in the order of the items. After a rejection no further item is begun. */
export async function mapLimited<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  const left = iterate(items)
  const runLane = async (): Promise<void> => {
    for (const [index, item] of left) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: limit }, runLane))
  return results
}

/** A loop that ends early closes a generator, also for the other lanes. */
function* iterate<Item>(items: readonly Item[]): Generator<[number, Item]> {
  yield* items.entries()
}
