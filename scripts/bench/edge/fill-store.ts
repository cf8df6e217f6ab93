/** Fills a store with generated sellers. */
import type { PushedObject } from '../../../src/domain/wire/object-calls.ts'
import { MAX_NAMES } from '../../../src/domain/wire/call.ts'
import { divide, inLanes } from '../../../src/domain/work/batches.ts'
import { formatCount } from '../../measure/format-figures.ts'
import type { RunningStore } from './edge-store.ts'
import { createObject } from './made-objects.ts'

/** Calls of `push` at once. */
const AT_ONCE = 4

/** The store is empty. Returns the time in ms. */
export async function fillStore(
  { client }: RunningStore,
  sellers: number,
  progress: (text: string) => void,
): Promise<number> {
  const { format, intake } = (await client.readTags({ names: [] })).worker
  const start = performance.now()
  const numbers = Array.from({ length: sellers }, (_, number) => number)
  await inLanes(divide(numbers, MAX_NAMES), AT_ONCE, async (batch) => {
    progress(`Filling the store: ${formatCount(batch[0] ?? 0)} of ${formatCount(sellers)} sellers`)
    const objects = batch.map((number): PushedObject => ({ ...createObject(number), tag: null }))
    const { results } = await client.push({ format, intake, objects, isShrinkAllowed: false })
    // The first try of a repeated call may have stored its objects, so the repeat is `beaten`.
    const unstored = results.find(({ outcome }) => outcome !== 'stored' && outcome !== 'beaten')
    if (unstored !== undefined) throw new Error(`not stored: ${JSON.stringify(unstored)}`)
  })
  return performance.now() - start
}
