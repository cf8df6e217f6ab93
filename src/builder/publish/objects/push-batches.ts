/** Pushes objects in batches that fit into one call, after the picture files of these objects. */
import type { SellerData } from '../../../domain/objects/object-data.ts'
import { FORMAT } from '../../../domain/objects/object-data.ts'
import { MAX_NAMES } from '../../../domain/wire/call.ts'
import type { PushBatch, PushedObject, PushResult } from '../../../domain/wire/object-calls.ts'
import { OBJECT_CALLS } from '../../../domain/wire/object-calls.ts'
import { divide } from '../../../domain/work/batches.ts'
import { listObjectFiles } from '../../rebuild/plan/object-data.ts'
import { FITTING, isSendable } from '../coordinator/call-methods.ts'
import { sendDivided } from '../coordinator/send-divided.ts'
import type { Delivery } from './delivery.ts'
import type { Tally } from './tally.ts'

/** Reads `objects` one at a time, to limit memory. An object above the size limit becomes a batch by itself. */
export function createBatches(objects: Iterable<PushedObject>): Iterable<readonly PushedObject[]> {
  return divide(objects, MAX_NAMES, { most: FITTING, measure: measureObject })
}

function measureObject(object: PushedObject): number {
  return Buffer.byteLength(JSON.stringify(object))
}

/**
 * Resolves when the results are settled in `tally`. An object that cannot be sent, or whose call fails although the site
 * answers others, is settled as failed.
 */
export async function pushObjects(
  objects: readonly PushedObject[],
  delivery: Delivery,
  tally: Tally,
): Promise<void> {
  const files = objects.flatMap(({ data }) => listFiles(data))
  const lost = files.length === 0 ? new Set<string>() : await delivery.sendFiles([...new Set(files)])
  const ready: PushedObject[] = []
  for (const object of objects) {
    const reason = findObstacle(object, lost, delivery)
    if (reason === null) ready.push(object)
    else tally.settle([{ name: object.name, outcome: 'failed', reason }])
  }
  if (ready.length === 0) return
  const calls = {
    send: async (part: readonly PushedObject[]) => (await delivery.push(createBatch(part, delivery))).results,
    probe: () => probe(delivery),
    createFailure,
    budget: tally.budget,
  }
  for await (const results of sendDivided(ready, calls)) tally.settle(results)
}

/**
 * Calls the store and the coordinator by asking for the tags of a bucket, which needs both even if the store is empty.
 * An empty push calls neither, but is rejected if the Worker expects data of another format.
 */
async function probe(delivery: Delivery): Promise<void> {
  await delivery.readTags({ bucket: 0, after: null })
  await delivery.push(createBatch([], { ...delivery, isShrinkAllowed: false }))
}

function createFailure({ name }: PushedObject, error: Error): PushResult {
  const reason = `the call with this object fails, although the site answers others: ${error.message}`
  return { name, outcome: 'failed', reason }
}

/**
 * If removals are allowed, ends the guard's hold with an empty push. Needed if a delivery stored nothing, for example
 * because the refused sellers exist again, or because another builder has removed them.
 */
export async function liftHold(
  delivery: Pick<Delivery, 'intake' | 'isShrinkAllowed' | 'push'>,
): Promise<void> {
  if (delivery.isShrinkAllowed) await delivery.push(createBatch([], delivery))
}

function listFiles(data: SellerData | null): readonly string[] {
  return data === null ? [] : listObjectFiles(data)
}

function findObstacle(
  object: PushedObject,
  lost: ReadonlySet<string>,
  delivery: Pick<Delivery, 'intake' | 'isShrinkAllowed'>,
): string | null {
  const missing = lost.size === 0 ? undefined : listFiles(object.data).find((path) => lost.has(path))
  if (missing !== undefined) return `the picture store has lost ${missing}, or this file is too large to send`
  return isSendable(OBJECT_CALLS.push, createBatch([object], delivery), measureObject(object))
    ? null
    : 'its data is larger than one call can send: move some of its products to another seller'
}

function createBatch(
  objects: readonly PushedObject[],
  { intake, isShrinkAllowed }: Pick<Delivery, 'intake' | 'isShrinkAllowed'>,
): PushBatch {
  return { format: FORMAT, intake, objects, isShrinkAllowed }
}
