/** Lane `objects`: each writer of objects asks the index to pull them after the put. */
import { readMessage } from '../../domain/documents/errors.ts'
import type { ObjectName } from '../../domain/objects/object-data.ts'
import { tryAgain } from '../../domain/work/try-again.ts'
import type { JoinedIndex } from './join-shards.ts'

/** Number of tries. A Durable Object that was moved or restarted fails one call. */
const TRIES = 2

/**
 * The created function never rejects, because a failed update must not make the put fail: it is
 * logged and noted, and the comparison of digests repairs it.
 */
export function createFeeder(
  index: Pick<JoinedIndex, 'pull' | 'noteUnfed'>,
  log: (line: string) => void,
): (names: readonly ObjectName[]) => Promise<void> {
  return async (names) => {
    if (names.length === 0) return
    try {
      await tryAgain(() => index.pull(names), { most: TRIES })
    } catch (error) {
      log(`search: ${names.length} sellers were not updated: ${readMessage(error)}`)
      await index.noteUnfed(names.length).catch(() => log('search: the failed update could not be noted'))
    }
  }
}
