/**
 * Lane `objects`: updates the sellers of a shard from their objects. Reads a seller's tag before the object, so that
 * the shard rejects the update if a newer one came first.
 */
import type { SellerData } from '../../domain/objects/object-data.ts'
import { createSearchEntry } from '../../domain/search/search-entry.ts'
import type { PlacedSeller, SearchIndex, UpdateOutcome } from '../../domain/search/search-index.ts'
import { createUpdate } from '../../domain/search/search-index.ts'
import { mapLimited } from '../objects/map-limited.ts'

/** Returns the current data of an object; `null` for a seller without an object, or with a tombstone. */
export type ReadData = (seller: string) => Promise<SellerData | null>

interface PullWorld extends Pick<SearchIndex, 'see' | 'update'> {
  readonly readData: ReadData | null
  /** Records that a seller could not be updated. */
  readonly fail: (error: unknown) => void
}

/** Max objects that are read and updated at a time. */
const LANES = 4
/** Max tries for a seller, because another update of the same seller may come first each time. */
const ROUNDS = 5

/** A seller that fails does not stop the others. */
export async function pullSellers(
  sellers: readonly PlacedSeller[],
  { readData, ...world }: PullWorld,
): Promise<readonly UpdateOutcome[]> {
  if (readData === null) throw new Error('this search shard has no R2 bucket to read sellers from')
  return mapLimited(sellers, LANES, async (one): Promise<UpdateOutcome> => {
    try {
      return await pullSeller(one, readData, world)
    } catch (error) {
      world.fail(error)
      return 'failed'
    }
  })
}

async function pullSeller(
  one: PlacedSeller,
  readData: ReadData,
  { see, update }: Pick<SearchIndex, 'see' | 'update'>,
): Promise<UpdateOutcome> {
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { tags } = await see([one])
    const data = await readData(one.seller)
    const entry = data === null ? null : createSearchEntry(data)
    const [outcome = 'beaten'] = await update([await createUpdate(one.seller, entry, tags[0] ?? '')])
    if (outcome !== 'beaten') return outcome
  }
  throw new Error(
    `${ROUNDS} tries to update the seller ${one.seller} failed: other updates came first each time`,
  )
}
