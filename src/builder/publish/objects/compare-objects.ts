/** Compares all objects of the edge with the snapshot, and delivers those that differ. */
import type { SellerData } from '../../../domain/objects/object-data.ts'
import { formatObjectData } from '../../../domain/objects/object-data.ts'
import type { PushedObject } from '../../../domain/wire/object-calls.ts'
import { inLanes } from '../../../domain/work/batches.ts'
import { hashBytes } from '../../state/manifest.ts'
import { deliverObjects } from './deliver-objects.ts'
import type { Delivery, DeliveryOutcome, ReadObject } from './delivery.ts'
import { createBatches, pushObjects } from './push-batches.ts'
import type { TagTable } from './tag-table.ts'
import { createTally } from './tally.ts'

export interface ObjectComparison {
  /** The tags that were read before the source. */
  readonly tags: TagTable
  /** All sellers in the snapshot. */
  readonly sellers: Iterable<string>
  readonly read: ReadObject
  /** Objects that are pushed even if the store has equal data. */
  readonly named: ReadonlySet<string>
  /**
   * Sellers whose last push failed. The comparison leaves them in the outbox, whose rest is delivered last, so that they
   * delay no others if they fail again.
   */
  readonly failed: ReadonlySet<string>
  /** Called after the comparison, when the outbox has every object that is not yet up to date. */
  readonly complete: () => void
}

/** Max batches pushed at the same time. */
const WIDTH = 4
/** Number of equal objects whose names are gathered before one call settles them. */
const EQUAL = 500

/**
 * Pushes the objects in `named` and all whose data differs from the snapshot, then the rest of the outbox, such as
 * objects that another writer put meanwhile.
 */
export async function compareObjects(
  delivery: Delivery,
  comparison: ObjectComparison,
): Promise<DeliveryOutcome> {
  const tally = createTally(delivery)
  const batches = createBatches(findDifferences(comparison, delivery))
  await inLanes(batches, WIDTH, (batch) => pushObjects(batch, delivery, tally))
  comparison.complete()
  return deliverObjects(delivery, tally)
}

function* findDifferences(
  { tags, sellers, read, named, failed }: ObjectComparison,
  { outbox }: Delivery,
): Generator<PushedObject> {
  let equal: string[] = []
  const settle = (): void => outbox.settle(equal.splice(0))
  for (const name of sellers) {
    const { tag, digest } = tags.find(name)
    tags.markSeen(name)
    if (failed.has(name)) continue
    const data = read(name)
    if (data !== null && (digest !== hashData(data) || named.has(name))) yield { name, tag, data }
    else if (equal.push(name) >= EQUAL) settle()
  }
  settle()
  for (const { name, tag } of tags.readUnseen()) yield { name, tag, data: null }
  // Settles deleted sellers that have a tombstone or never had an object, because there is nothing to push for them.
  // Sellers in `named` stay in the outbox, so they are pushed.
  equal = outbox.read().filter((name) => tags.isGone(name) && !named.has(name))
  settle()
}

function hashData(data: SellerData): string {
  return hashBytes(formatObjectData(data))
}
