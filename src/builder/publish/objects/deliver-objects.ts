/** Delivers the objects that the outbox names: reads their tags, then their data, and pushes it. */
import type { ObjectName } from '../../../domain/objects/object-data.ts'
import type { ObjectTag, PushedObject } from '../../../domain/wire/object-calls.ts'
import { MAX_NAMES } from '../../../domain/wire/call.ts'
import { divide } from '../../../domain/work/batches.ts'
import type { Delivery, DeliveryOutcome, ReadObject } from './delivery.ts'
import { createBatches, liftHold, pushObjects } from './push-batches.ts'
import type { Tally } from './tally.ts'
import { createTally } from './tally.ts'

/**
 * How often the outbox is gone through: for objects that other writers put meanwhile, and for sellers that a read adds.
 */
const ROUNDS = 5

/** An object that is not stored stays in the outbox. Equal data is pushed all the same. */
export async function deliverObjects(
  delivery: Delivery,
  tally: Tally = createTally(delivery),
): Promise<DeliveryOutcome> {
  for (let round = 1; round <= ROUNDS; round += 1) {
    const names = delivery.outbox.read().filter((name) => !tally.isGivenUp(name))
    if (names.length === 0) break
    // One part after another: a later one may read other data of an earlier one, and then puts it into the outbox
    // again.
    for (const part of divide(names, MAX_NAMES)) await deliverPart(part, delivery, tally)
  }
  const outcome = tally.end()
  if (outcome.stored.length === 0) await liftHold(delivery)
  return outcome
}

async function deliverPart(names: readonly ObjectName[], delivery: Delivery, tally: Tally): Promise<void> {
  const { objects: tags } = await delivery.readTags({ names })
  const read = await delivery.readObjects(names)
  for (const batch of createBatches(createObjects(tags, read))) await pushObjects(batch, delivery, tally)
}

/**
 * A seller without an object gets a tombstone, too: a builder that read her before she left would put her after all.
 */
function* createObjects(tags: readonly ObjectTag[], read: ReadObject): Generator<PushedObject> {
  for (const { name, tag } of tags) yield { name, tag, data: read(name) }
}
