/** Work on a list, a few items at a time. */

const LANES = 16

export async function inLanes<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items.values()
  const run = async (): Promise<void> => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: LANES }, run))
}
