/** Stores the data that builders push. Keeps an object that was replaced after the builder had read its tag. */
import { formatObjectKey } from '../../domain/objects/object-key.ts'
import type { PushAnswer, PushBatch, PushedObject } from '../../domain/wire/object-calls.ts'
import { mapLimited } from './map-limited.ts'
import type { ObjectHost } from './object-host.ts'
import { findNextVersion } from './object-notes.ts'
import type { PutEnd, WantedObject } from './put-objects.ts'
import { OBJECTS_AT_ONCE, permitObjects, putObject, settlePuts } from './put-objects.ts'

/**
 * Rejects if the store or the coordinator fails. The next call for tags then reports to the coordinator which puts had
 * succeeded.
 */
export async function acceptObjects(
  batch: PushBatch,
  host: ObjectHost,
  now: () => number = Date.now,
): Promise<PushAnswer> {
  const seen = await mapLimited(batch.objects, OBJECTS_AT_ONCE, (object) => see(object, host, now))
  const permission = await permitObjects(
    seen.filter((object) => object !== null),
    batch,
    host,
  )
  const refused = new Set(permission.refused)
  const puts = await mapLimited(seen, OBJECTS_AT_ONCE, async (object): Promise<PutEnd | null> => {
    if (object === null) return null
    if (!refused.has(object.name)) return putObject(object, batch, host)
    const { name } = object
    return { result: { name, outcome: 'refused', reason: permission.reason ?? '' }, settled: null }
  })
  const settled = puts.flatMap((put) => put?.settled ?? [])
  await settlePuts(settled, host)
  return {
    results: batch.objects.map(({ name }, index) => puts[index]?.result ?? { name, outcome: 'beaten' }),
  }
}

/** Returns `null` if the object has been replaced since the builder read its tag. */
async function see(
  { name, tag, data }: PushedObject,
  { store }: ObjectHost,
  now: () => number,
): Promise<WantedObject | null> {
  const key = await formatObjectKey(name)
  const seen = await store.head(key)
  if ((seen?.tag ?? null) !== tag) return null
  return { name, key, seen: tag, version: findNextVersion(seen, now()), data }
}
