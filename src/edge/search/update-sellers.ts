/** Updates a shard, one seller after another. Searches may run between the transactions. */
import type { SellerUpdate, UpdateOutcome } from '../../domain/search/search-index.ts'
import type { ReplaceStep } from './replace-seller.ts'
import type { ReadRows, ShardStorage } from './shard-tables.ts'
import { MERGED_ROWS, mergeSegments } from './write-documents.ts'

export interface UpdaterWorld {
  readonly storage: ShardStorage
  readonly read: ReadRows
  /** The present epoch. A comparison may begin another one between two transactions. */
  readonly readEpoch: () => string
  readonly replace: (update: SellerUpdate, epoch: string) => Generator<ReplaceStep, UpdateOutcome>
  /** Resolves after other waiting events have run. */
  readonly pause: () => Promise<void>
  /** Notes a seller that cannot be updated. */
  readonly fail: (error: unknown) => void
}

export type UpdateSellers = (updates: readonly SellerUpdate[]) => Promise<readonly UpdateOutcome[]>

/**
 * Max rows that are written between two pauses, without those of the full-text index: the runtime makes them durable
 * together.
 */
const MOST_ROWS = 1_200
/**
 * Number of written rows after which a call merges segments of the full-text index: a merge costs rows, but each
 * segment slows queries.
 */
const MANY_UNMERGED = 50

/** Creates the function that updates sellers. A call of it begins when the calls before it have ended. */
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
  /** Pauses if the step would write too much at once. */
  prepare(step: ReplaceStep): Promise<void>
  write(step: ReplaceStep): void
  /** Merges the new segments of the full-text index, if they have many rows. */
  tidy(): Promise<void>
}

function createWriter({ storage, read, pause }: UpdaterWorld): Writer {
  // A restart of the Durable Object loses the number of unmerged rows. With a random start there are as many merges on
  // average as without restarts, even if the Durable Object restarts before each change.
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
      // One of the rows is that of the seller, which is not in the full-text index.
      unmerged += rows - 1
    },
    tidy: async () => {
      if (unmerged >= MANY_UNMERGED) await merge()
    },
  }
}
