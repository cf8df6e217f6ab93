/** Fills a store with generated sellers, and renders them again. */
import { setTimeout as wait } from 'node:timers/promises'
import { HOME_OBJECT } from '../../../src/domain/objects/object-data.ts'
import type { CodeState, PushedObject } from '../../../src/domain/wire/object-calls.ts'
import { MAX_OBJECTS } from '../../../src/domain/wire/object-calls.ts'
import { formatCount } from '../../measure/format-figures.ts'
import type { RunningStore } from './edge-store.ts'
import { createObject } from './made-objects.ts'

/** Calls of `push` at once. */
const AT_ONCE = 4
const LOOK = 50
/** In milliseconds without progress. */
const PATIENCE = 60_000

async function readCode({ client }: Pick<RunningStore, 'client'>): Promise<CodeState> {
  return (await client.readTags({ names: [HOME_OBJECT] })).worker
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

/** Tells the site that its code is live. Returns the time until all objects are rendered with it, in ms. */
export async function refillStore(
  store: RunningStore,
  sellers: number,
  progress: (text: string) => void,
): Promise<number> {
  const { code } = await readCode(store)
  const start = performance.now()
  await store.client.goLive({ code })
  let seen = { rendered: -1, at: start }
  for (;;) {
    const refill = (await store.coordinator.status()).objects?.refill
    const { done, of, rendered, failed } = refill ?? { done: 0, of: 1, rendered: 0, failed: 0 }
    const now = performance.now()
    progress(`Rendering again: ${formatCount(rendered)} of ${formatCount(sellers)} sellers`)
    if (done === of) {
      if (rendered !== sellers || failed > 0) throw new Error(`${rendered} rendered again, ${failed} failed`)
      return now - start
    }
    if (rendered > seen.rendered) seen = { rendered, at: now }
    if (now - seen.at > PATIENCE) throw new Error(`the refill stands still at ${rendered} of ${sellers}`)
    await wait(LOOK)
  }
}
