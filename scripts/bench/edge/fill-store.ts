/** Fills a store with generated sellers. */
import type { CodeState, PushedObject } from '../../../src/domain/wire/object-calls.ts'
import { MAX_OBJECTS } from '../../../src/domain/wire/object-calls.ts'
import { formatCount } from '../../measure/format-figures.ts'
import type { RunningStore } from './edge-store.ts'
import { createObject } from './made-objects.ts'

/** Calls of `push` at once. */
const AT_ONCE = 4

async function readCode({ client }: Pick<RunningStore, 'client'>): Promise<CodeState> {
  return (await client.readTags({ names: [] })).worker
}

/** The store is empty. Returns the time in ms. */
export async function fillStore(
  { client }: RunningStore,
  sellers: number,
  progress: (text: string) => void,
): Promise<number> {
  const { format, intake } = await readCode({ client })
  const start = performance.now()
  let next = 0
  const work = async (): Promise<void> => {
    while (next < sellers) {
      progress(`Filling the store: ${formatCount(next)} of ${formatCount(sellers)} sellers`)
      const first = next
      next = Math.min(first + MAX_OBJECTS, sellers)
      const objects = Array.from({ length: next - first }, (_, index): PushedObject => ({
        ...createObject(first + index),
        tag: null,
      }))
      const { results } = await client.push({ format, intake, objects, isShrinkAllowed: false })
      const unstored = results.find(({ outcome }) => outcome !== 'stored')
      if (unstored !== undefined) throw new Error(`not stored: ${JSON.stringify(unstored)}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return performance.now() - start
}
