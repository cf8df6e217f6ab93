/** Carries out updates of a shard, one after another, in transactions between which it lets searches in. */
import type { SellerUpdate, UpdateOutcome } from '../../domain/search/search-index.ts'
import type { SaltedTables, Step } from './replace-seller.ts'
import { replaceSeller } from './replace-seller.ts'
import type { ReadRows, ShardStorage } from './shard-tables.ts'
import { MERGED_ROWS, mergeSegments } from './write-documents.ts'

export interface UpdaterWorld {
  readonly storage: ShardStorage
  readonly read: ReadRows
  /** Whether the update is from before the shard was emptied, or compared. */
  readonly isLate: (update: SellerUpdate) => boolean
  /** Returns another object after the shard was emptied. */
  readonly openSalted: () => SaltedTables
  /** Resolves after other events were let in. */
  readonly pause: () => Promise<void>
  /** Notes a seller that cannot be updated. */
  readonly fail: (error: unknown) => void
}

export type UpdateSellers = (updates: readonly SellerUpdate[]) => Promise<readonly UpdateOutcome[]>

/** Max rows between two pauses, which a Durable Object makes durable at once; without new ones of the full-text index. */
const MOST_ROWS = 1_200

/** A call begins when the calls before it have ended. */
export function createUpdater(world: UpdaterWorld): UpdateSellers {
  const writer = createWriter(world)
  let last: Promise<unknown> = Promise.resolve()
  const updateAll: UpdateSellers = async (updates) => {
    const outcomes: UpdateOutcome[] = []
    for (const update of updates) outcomes.push(await updateSeller(update, world, writer))
    await writer.merge()
    return outcomes
  }
  return (updates) => {
    const work = last.then(() => updateAll(updates))
    last = work.catch(() => {})
    return work
  }
}

/** A seller that fails stops no other one. */
async function updateSeller(
  update: SellerUpdate,
  world: UpdaterWorld,
  writer: Writer,
): Promise<UpdateOutcome> {
  try {
    return world.isLate(update) ? 'late' : await replace(update, world, writer)
  } catch (error) {
    world.fail(error)
    return 'failed'
  }
}

async function replace(
  update: SellerUpdate,
  { openSalted }: UpdaterWorld,
  writer: Writer,
): Promise<UpdateOutcome> {
  const tables = openSalted()
  const steps = replaceSeller(tables, update)
  for (;;) {
    const next = steps.next()
    if (next.done === true) return next.value
    await writer.prepare(next.value)
    if (openSalted() !== tables) return 'late'
    writer.write(next.value)
  }
}

interface Writer {
  /** Pauses if the step would write too much at once. */
  prepare(step: Step): Promise<void>
  write(step: Step): void
  /** Merges what was written to the full-text index. */
  merge(): Promise<void>
}

function createWriter({ storage, read, pause }: UpdaterWorld): Writer {
  let [written, unmerged] = [0, 0]
  const makeRoom = async (rows: number): Promise<void> => {
    if (written === 0 || written + rows <= MOST_ROWS) return
    await pause()
    written = 0
  }
  const merge = async (): Promise<void> => {
    if (unmerged === 0) return
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
      // One is the seller's.
      unmerged += rows - 1
    },
    merge,
  }
}
