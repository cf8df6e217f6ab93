/** Delivers the objects that the outbox names: reads their tags, then their data, and pushes it. */
import type { ObjectTag, PushedObject } from '../../../domain/wire/object-calls.ts'
import { MAX_NAMES } from '../../../domain/wire/call.ts'
import { divide } from '../../../domain/work/batches.ts'
import type { Delivery, DeliveryOutcome, ReadObject } from './delivery.ts'
import { createBatches, liftHold, pushObjects } from './push-batches.ts'
import type { Tally } from './tally.ts'
import { createTally } from './tally.ts'

/**
 * Max passes over the outbox. A further pass delivers objects that other writers put meanwhile, and sellers that the
 * previous pass added when it read the source.
 */
const ROUNDS = 5

/**
 * Pushes the objects of the outbox, even if the store has equal data, but not those that `tally` has given up. An
 * object that is not stored stays in the outbox.
 */
export async function deliverObjects(
  delivery: Delivery,
  tally: Tally = createTally(delivery),
): Promise<DeliveryOutcome> {
  for (let round = 1; round <= ROUNDS; round += 1) {
    const names = delivery.outbox.read().filter((name) => !tally.isGivenUp(name))
    if (names.length === 0) break
    // Delivers one part after another. Reading a later part may change the data of sellers in an earlier part, so their
    // names return to the outbox. If the earlier part were still being pushed, its result would remove them again.
    for (const part of divide(names, MAX_NAMES)) await deliverPart(part, delivery, tally)
  }
  const outcome = tally.end()
  if (outcome.stored.length === 0) await liftHold(delivery)
  return outcome
}

async function deliverPart(names: readonly string[], delivery: Delivery, tally: Tally): Promise<void> {
  const { objects: tags } = await delivery.readTags({ names })
  const read = await delivery.readObjects(names)
  for (const batch of createBatches(createObjects(tags, read))) await pushObjects(batch, delivery, tally)
}

/**
 * A deleted seller without an object gets a tombstone too: otherwise a builder that read the seller before the deletion
 * could still put the object.
 */
function* createObjects(tags: readonly ObjectTag[], read: ReadObject): Generator<PushedObject> {
  for (const { name, tag } of tags) yield { name, tag, data: read(name) }
}
