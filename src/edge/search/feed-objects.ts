/** Lane `objects`: each writer of objects makes the index pull them after the put. */
import { readMessage } from '../../domain/documents/errors.ts'
import { tryAgain } from '../../domain/work/try-again.ts'
import type { JoinedIndex } from './join-shards.ts'

/**
 * Max tries. The first call may fail because a Durable Object was moved or restarted; the next one then usually
 * succeeds.
 */
const TRIES = 2

/**
 * Returns a function that updates sellers in the index. It never rejects, because a failed update must not make the put
 * fail: the failure is logged and counted, and the comparison of digests repairs the index.
 */
export function createFeeder(
  index: Pick<JoinedIndex, 'pull' | 'noteUnfed'>,
  log: (line: string) => void,
): (names: readonly string[]) => Promise<void> {
  return async (names) => {
    if (names.length === 0) return
    try {
      await tryAgain(() => index.pull(names), { most: TRIES })
    } catch (error) {
      log(`search: the update of ${names.length} sellers failed: ${readMessage(error)}`)
      await index
        .noteUnfed(names.length)
        .catch(() => log('search: the number of failed updates could not be recorded'))
    }
  }
}
