/** Updates the sellers of a shard one after another. Searches may run between the transactions. */
import type { SellerUpdate, UpdateOutcome } from '../../domain/search/search-index.ts'
import type { ReplaceStep } from './replace-seller.ts'
import type { ReadRows, ShardStorage } from './shard-tables.ts'
import { MERGED_ROWS, mergeSegments } from './write-documents.ts'

interface UpdaterWorld {
  readonly storage: ShardStorage
  readonly read: ReadRows
  /** Returns the current epoch. A comparison may begin a new epoch between two transactions. */
  readonly readEpoch: () => string
  readonly replace: (update: SellerUpdate, epoch: string) => Generator<ReplaceStep, UpdateOutcome>
  /** Resolves after the events that are already waiting have run. */
  readonly pause: () => Promise<void>
  /** Records that a seller could not be updated. */
  readonly fail: (error: unknown) => void
}

type UpdateSellers = (updates: readonly SellerUpdate[]) => Promise<readonly UpdateOutcome[]>

/**
 * Max rows written between two pauses, and max unmerged rows, unless one step writes more. Rows of the full-text index
 * count only if a merge writes them. The runtime makes all writes between two pauses durable together, so this number
 * limits the size of one such batch.
 */
const MOST_ROWS = 1_200
/**
 * Number of unmerged rows from which a call of `UpdateSellers` merges segments of the full-text index at its end. A
 * merge writes rows, but each unmerged segment slows queries down.
 */
const MANY_UNMERGED = 50

/** Creates the function that updates sellers. Each call begins after all earlier calls have ended. */
export function createUpdater(world: UpdaterWorld): UpdateSellers {
  const writer = createWriter(world)
  let last: Promise<unknown> = Promise.resolve()
  const updateAll: UpdateSellers = async (updates) => {
    const outcomes: UpdateOutcome[] = []
    for (const update of updates) outcomes.push(await updateSeller(update, world, writer))
    await writer.tidy()
    return outcomes
  }
  return (updates) => {
    const work = last.then(() => updateAll(updates))
    last = work.catch(() => {})
    return work
  }
}

/** A seller that fails does not stop the others. */
async function updateSeller(
  update: SellerUpdate,
  { readEpoch, replace, fail }: UpdaterWorld,
  writer: Writer,
): Promise<UpdateOutcome> {
  const epoch = readEpoch()
  try {
    const steps = replace(update, epoch)
    for (;;) {
      const next = steps.next()
      if (next.done === true) return next.value
      await writer.prepare(next.value)
      if (readEpoch() !== epoch) return 'beaten'
      writer.write(next.value)
    }
  } catch (error) {
    fail(error)
    return 'failed'
  }
}

interface Writer {
  /**
   * Merges segments of the full-text index if the step would leave too many rows unmerged. Pauses if the steps since
   * the last pause would write too much together.
   */
  prepare(step: ReplaceStep): Promise<void>
  write(step: ReplaceStep): void
  /** Merges the new segments of the full-text index, if they have many rows. */
  tidy(): Promise<void>
}

function createWriter({ storage, read, pause }: UpdaterWorld): Writer {
  // A restart of the Durable Object loses the number of unmerged rows. A random initial value keeps the average number
  // of merges the same, even if the Durable Object restarts before each change.
  let [written, unmerged] = [0, Math.floor(Math.random() * MANY_UNMERGED)]
  const makeRoom = async (rows: number): Promise<void> => {
    if (written === 0 || written + rows <= MOST_ROWS) return
    await pause()
    written = 0
  }
  const merge = async (): Promise<void> => {
    await makeRoom(MERGED_ROWS)
    storage.transactionSync(() => mergeSegments(read))
    written += MERGED_ROWS
    unmerged = 0
  }
  return {
    prepare: async ({ rows }) => {
      if (unmerged + rows > MOST_ROWS) await merge()
      await makeRoom(rows)
    },
    write: ({ rows, write }) => {
      storage.transactionSync(write)
      written += rows
      // The seller's own row is not counted, so that an update with equal data leaves nothing to merge. The other rows
      // are an upper bound of the rows that the full-text index received.
      unmerged += rows - 1
    },
    tidy: async () => {
      if (unmerged >= MANY_UNMERGED) await merge()
    },
  }
}
