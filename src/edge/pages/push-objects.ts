/**
 * Stores pushed data: permit, render, put, settle. An object is put only if it is still the one whose tag was told before the
 * data was read, so data never goes back; what cannot be put says why and stops no other.
 */
import { formatObjectKey } from '../../domain/objects/object-key.ts'
import type { IndexedObject } from '../../domain/search/search-index.ts'
import type { PushAnswer, PushBatch, PushedObject, PushResult } from '../../domain/wire/object-calls.ts'
import type { ObjectCounts, Permission, SettledObject } from '../coordinator/object-ledger.ts'
import { mapLimited } from './map-limited.ts'
import type { ObjectHost } from './object-host.ts'
import { GONE, parseNotes } from './object-notes.ts'
import type { ObjectParts } from './render-object.ts'
import { countData, createTombstone, renderObject } from './render-object.ts'

/** Objects in work at a time: as many as a Worker may have connections. */
export const LANES = 6

/** In bytes: as much as a static file may have. */
export const LARGEST_OBJECT = 25 * 1024 * 1024

/** An object of the call that is still the one that was told. */
interface Expected extends PushedObject {
  readonly key: string
  /** That of the new object. */
  readonly version: number
}

interface Put {
  readonly result: PushResult
  /** `null` if nothing was put. */
  readonly settled: SettledObject | null
  readonly indexed: IndexedObject | null
}

/** Rejects if the store or the coordinator fails; what was put until then is settled by the next look at its tag. */
export async function pushObjects(batch: PushBatch, host: ObjectHost): Promise<PushAnswer> {
  const seen = await mapLimited(batch.objects, LANES, (object) => see(object, host))
  const permission = await permit(
    seen.filter((object) => object !== null),
    batch,
    host,
  )
  const refused = new Set(permission.refused)
  const puts = await mapLimited(seen, LANES, async (object): Promise<Put | null> => {
    if (object === null) return null
    if (!refused.has(object.name)) return putObject(object, batch, host)
    return leave({ name: object.name, outcome: 'refused', reason: permission.reason ?? '' })
  })
  const settled = puts.flatMap((put) => put?.settled ?? [])
  const indexed = puts.flatMap((put) => put?.indexed ?? [])
  if (settled.length > 0) await Promise.all([host.ledger.settle(settled, 'put'), host.feedIndex?.(indexed)])
  return {
    results: batch.objects.map(({ name }, index) => puts[index]?.result ?? { name, outcome: 'beaten' }),
  }
}

/**
 * Returns `null` if the object is another one by now. The version comes with the tag: a put under this tag replaces exactly
 * the object that was seen here.
 */
async function see(object: PushedObject, { store }: ObjectHost): Promise<Expected | null> {
  const key = await formatObjectKey(object.name)
  const seen = await store.head(key)
  if ((seen?.tag ?? null) !== object.tag) return null
  return { ...object, key, version: seen === null ? 1 : parseNotes(seen).version + 1 }
}

async function permit(
  objects: readonly Expected[],
  { isShrinkAllowed }: PushBatch,
  { ledger }: ObjectHost,
): Promise<Permission> {
  if (objects.length === 0 && !isShrinkAllowed) return { refused: [], reason: null }
  return ledger.permit({ objects: objects.map(count), isShrinkAllowed })
}

async function putObject(object: Expected, batch: PushBatch, host: ObjectHost): Promise<Put> {
  const { name, key, tag: seen, version } = object
  const parts = await createParts(object, batch, host)
  if (typeof parts === 'string') return leave({ name, outcome: 'failed', reason: parts })
  const tag = await host.store.put(key, parts.bytes, { seen, notes: parts.notes })
  if (tag === null) return leave({ name, outcome: 'beaten' })
  await host.forgetPages(name)
  return {
    result: { name, outcome: 'stored', tag, version },
    settled: { ...count(object), version, updated: findUpdated(object) },
    indexed: { name, version, data: object.data },
  }
}

/** Returns a reason if there is no page to put. */
async function createParts(
  { data, version }: Expected,
  { intake }: PushBatch,
  { renderer }: ObjectHost,
): Promise<ObjectParts | string> {
  if (data === null) return createTombstone(version)
  try {
    const parts = await renderObject(data, { version, intake, renderer })
    return parts.bytes.length > LARGEST_OBJECT ? `the object has ${parts.bytes.length} bytes` : parts
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function leave(result: PushResult): Put {
  return { result, settled: null, indexed: null }
}

function count({ name, data }: PushedObject): ObjectCounts {
  const { products, hasProfile } = data === null ? GONE : countData(data)
  return { name, isGone: data === null, hasProfile, products }
}

function findUpdated({ data }: PushedObject): string {
  return data === null ? '' : countData(data).updated
}
