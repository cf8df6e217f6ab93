/**
 * Puts objects for every kind of writer: permit, render, put. A writer reads the object's tag before the data, and a
 * put succeeds only if the tag is still the same, so older data never replaces newer data. An object that is refused,
 * outdated or cannot be rendered gets this as its result, and does not stop the others.
 */
import type { SellerData } from '../../domain/objects/object-data.ts'
import type { PushBatch, PushResult } from '../../domain/wire/object-calls.ts'
import type { Permission, SettledObject } from '../coordinator/object-ledger.ts'
import type { ObjectHost } from './object-host.ts'
import { GONE } from './object-notes.ts'
import type { ObjectParts } from './render-object.ts'
import { countData, createTombstone, renderObject } from './render-object.ts'
import { readMessage } from '../../domain/documents/errors.ts'

/** Max objects read or put at a time, because a Worker may have only this many open connections. */
export const OBJECTS_AT_ONCE = 6

/** Max bytes of an object: the same limit as for a static file. */
export const LARGEST_OBJECT = 25 * 1024 * 1024

/**
 * `intake` is the hash of the code that makes the data from the documents, and of everything else that the data depends
 * on, except the documents.
 */
export type PutRules = Pick<PushBatch, 'intake' | 'isShrinkAllowed'>

export interface WantedObject {
  readonly name: string
  readonly key: string
  /** Tag of the object that was seen; `null` if there was none. */
  readonly seen: string | null
  /**
   * Version of the new object, from `findNextVersion`. Known before the put, because a put with the tag `seen` succeeds
   * only if that object is still there.
   */
  readonly version: number
  /** `null`: the seller does not exist, or no longer exists. */
  readonly data: SellerData | null
}

export interface PutEnd {
  readonly result: PushResult
  /** `null` if nothing was put. */
  readonly settled: SettledObject | null
}

/** Asks the coordinator which objects may be put, in one call for all. */
export async function permitObjects(
  objects: readonly WantedObject[],
  { isShrinkAllowed }: PutRules,
  { ledger }: ObjectHost,
): Promise<Permission> {
  if (objects.length === 0 && !isShrinkAllowed) return { refused: [], reason: null }
  return ledger.permit({ objects: objects.map(count), isShrinkAllowed })
}

/**
 * Renders and puts one object. Rejects if the store fails. The caller must call `permitObjects` before, and
 * `settlePuts` afterwards.
 */
export async function putObject(object: WantedObject, rules: PutRules, host: ObjectHost): Promise<PutEnd> {
  const { name, key, seen, version } = object
  const parts = await createParts(object, rules, host)
  if (typeof parts === 'string') return leave({ name, outcome: 'failed', reason: parts })
  const tag = await host.store.put(key, parts.bytes, { seen, notes: parts.notes })
  if (tag === null) return leave({ name, outcome: 'beaten' })
  await host.forgetPages(name)
  return { result: { name, outcome: 'stored', tag, version }, settled: count(object) }
}

/** Reports the put objects to the coordinator and the search index. */
export async function settlePuts(
  settled: readonly SettledObject[],
  { ledger, feedIndex }: Pick<ObjectHost, 'ledger' | 'feedIndex'>,
): Promise<void> {
  if (settled.length === 0) return
  await Promise.all([ledger.settle(settled, 'put'), feedIndex?.(settled.map(({ name }) => name))])
}

/** Returns the bytes and notes to put, or the reason why the object cannot be put. */
async function createParts(
  { data, version }: WantedObject,
  { intake }: PutRules,
  { renderer }: ObjectHost,
): Promise<ObjectParts | string> {
  if (data === null) return createTombstone(version)
  try {
    const parts = await renderObject(data, { version, intake, renderer })
    return parts.bytes.length > LARGEST_OBJECT
      ? `the object has ${parts.bytes.length} bytes, and at most ${LARGEST_OBJECT} can be stored`
      : parts
  } catch (error) {
    return readMessage(error)
  }
}

function leave(result: PushResult): PutEnd {
  return { result, settled: null }
}

function count({ name, version, data }: WantedObject): SettledObject {
  const { products, hasProfile, updated } = data === null ? GONE : countData(data)
  return { name, isGone: data === null, hasProfile, products, version, updated }
}
