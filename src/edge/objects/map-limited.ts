/**
 * Runs asynchronous work on a list, a few items at a time, because an object may be large and a Worker's memory is
 * small.
 */
import { inLanes } from '../../domain/work/batches.ts'

/** Returns the results in the order of the items. Starts no further item after a rejection. */
export async function mapLimited<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  await inLanes(items.entries(), limit, async ([index, item]) => {
    results[index] = await work(item)
  })
  return results
}
