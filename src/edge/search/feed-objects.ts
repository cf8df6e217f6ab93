/** Feeds the index with objects, in lane `objects`: whoever puts an object does it, after the put. */
import { createSearchEntry } from '../../domain/search/search-entry.ts'
import type { IndexedObject, SellerUpdate } from '../../domain/search/search-index.ts'
import { createUpdate } from '../../domain/search/search-index.ts'
import { tryAgain } from '../../domain/work/try-again.ts'
import type { SellerResult } from '../../domain/wire/search-calls.ts'
import type { JoinedIndex } from './join-shards.ts'
import { readMessage } from '../../domain/documents/errors.ts'

/** Once more after an error: an object of the runtime that was moved or restarted fails one call. */
const TRIES = 2

/**
 * The created function never rejects, because a failure must not make the put one: it is logged and noted, and the
 * comparison of digests repairs it.
 */
export function createFeeder(
  index: Pick<JoinedIndex, 'update' | 'noteUnfed'>,
  log: (line: string) => void,
  now: () => number = Date.now,
): (objects: readonly IndexedObject[]) => Promise<void> {
  return async (objects) => {
    // After the puts: who empties the index after this reads them.
    const updates = await createUpdates(objects, { since: now(), isRepair: false })
    if (updates.length === 0) return
    try {
      await tryAgain(() => index.update(updates), { most: TRIES })
    } catch (error) {
      log(`search: ${updates.length} sellers were not updated: ${readMessage(error)}`)
      await index.noteUnfed(updates.length).catch(() => log('search: that could not be noted'))
    }
  }
}

/** Replaces sellers by their objects, which were read after `since`. Rejects if a shard fails. */
export async function refreshObjects(
  index: Pick<JoinedIndex, 'update'>,
  objects: readonly IndexedObject[],
  since: number,
): Promise<readonly SellerResult[]> {
  const updates = await createUpdates(objects, { since, isRepair: true })
  const outcomes = await index.update(updates)
  return updates.map(({ seller, sequence }, at) => ({ seller, sequence, outcome: outcomes[at] ?? 'late' }))
}

function createUpdates(
  objects: readonly IndexedObject[],
  kind: Pick<SellerUpdate, 'since' | 'isRepair'>,
): Promise<readonly SellerUpdate[]> {
  return Promise.all(
    objects.map(({ name, version, data }) => {
      const entry = data === null ? null : createSearchEntry(data)
      return createUpdate(name, entry, { sequence: version, ...kind })
    }),
  )
}
