/** One part of the refill: as many objects as fit into a message's time. */
import { FORMAT, HOME_OBJECT } from '../../domain/objects/object-data.ts'
import { formatBucketPrefix, formatObjectKey } from '../../domain/objects/object-key.ts'
import type { RefillDone, RefillStep } from '../coordinator/object-ledger.ts'
import { BUCKETS, FIRST_STEP } from '../coordinator/objects/move-refill.ts'
import { mapLimited } from './map-limited.ts'
import type { ObjectHost } from './object-host.ts'
import { parseNotes } from './object-notes.ts'
import type { ListedObject, SeenObject, StoredObject } from './object-store.ts'
import { parsePageObject } from './page-object.ts'
import { LANES, LARGEST_OBJECT } from './put-objects.ts'
import type { ObjectParts } from './render-object.ts'
import { renderObject } from './render-object.ts'
import { readMessage } from '../../domain/documents/errors.ts'

/** In milliseconds. A message should end within seconds. */
const MAX_TIME = 10_000
/** Max requests to the store, far from the runtime's limit for one invocation. */
const MAX_REQUESTS = 300
/**
 * In bytes of stored objects in work at a time; a larger one is alone. A Worker has 128 MB, and an object is there several
 * times while it is rendered.
 */
const MAX_BYTES = 8 * 1024 * 1024
/** Tries against other writers of the same object. */
const TRIES = 5

/** `left`: there was nothing to do. */
type Outcome = 'rendered' | 'failed' | 'left'

interface Portion {
  /** Keys of objects to render again. */
  readonly keys: readonly string[]
  /** Where the work goes on behind them; `null` after the last bucket. */
  readonly next: RefillStep | null
}

/** Rejects if the store fails: the part is done again, and leaves alone what is rendered by then. */
export async function refillPart(
  step: RefillStep,
  host: ObjectHost,
  now: () => number = Date.now,
): Promise<RefillDone> {
  const end = now() + MAX_TIME
  const counts: Record<Outcome, number> = { rendered: 0, failed: 0, left: 0 }
  let next: RefillStep | null = step
  let requests = 0
  for await (const portion of walkObjects(step, host)) {
    for (const outcome of await mapLimited(portion.keys, LANES, (key) => refillObject(key, host)))
      counts[outcome] += 1
    next = portion.next
    requests += 1 + 2 * portion.keys.length
    if (requests >= MAX_REQUESTS || now() >= end) break
  }
  return { step, next, rendered: counts.rendered, failed: counts.failed }
}

/** The home page comes first, then the sellers of each bucket. */
async function* walkObjects(step: RefillStep, host: ObjectHost): AsyncGenerator<Portion> {
  if (step.bucket === FIRST_STEP.bucket && step.after === FIRST_STEP.after)
    yield { keys: [await formatObjectKey(HOME_OBJECT)], next: step }
  let position: RefillStep | null = step
  while (position !== null) {
    const { bucket, after }: RefillStep = position
    const { objects, next } = await host.store.list(formatBucketPrefix(bucket), after)
    for (const keys of divide(objects.filter((object) => isStale(object, host))))
      yield { keys, next: { bucket, after: keys.at(-1) ?? after } }
    position = next === null ? findNextBucket(bucket) : { bucket, after: next }
    yield { keys: [], next: position }
  }
}

/** Returns the keys of objects that may be in work together. */
function divide(objects: readonly ListedObject[]): readonly (readonly string[])[] {
  const portions: string[][] = []
  let bytes = Infinity
  for (const { key, size } of objects) {
    const last = portions.at(-1)
    bytes += size
    if (last !== undefined && last.length < LANES && bytes <= MAX_BYTES) last.push(key)
    else {
      portions.push([key])
      bytes = size
    }
  }
  return portions
}

function findNextBucket(bucket: number): RefillStep | null {
  return bucket + 1 < BUCKETS ? { bucket: bucket + 1, after: null } : null
}

/** Tombstones are the same for every code. */
function isStale(object: SeenObject, { renderer }: ObjectHost): boolean {
  const { digest, code } = parseNotes(object)
  return digest !== null && code !== renderer.code
}

/** A writer that is faster may have put data with other code, so the object is looked at again. */
async function refillObject(key: string, host: ObjectHost): Promise<Outcome> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const seen = await host.store.get(key)
    if (seen === null || !isStale(seen, host)) return 'left'
    const parts = await renderAgain(seen, host)
    if (parts === null) return 'failed'
    const tag = await host.store.put(key, parts.bytes, { seen: seen.tag, notes: parts.notes })
    if (tag !== null) return 'rendered'
  }
  return 'failed'
}

/** Returns `null` if the page cannot be rendered: views show the object as it stands. */
async function renderAgain(seen: StoredObject, { renderer, log }: ObjectHost): Promise<ObjectParts | null> {
  try {
    const page = parsePageObject(seen.bytes)
    if (page.kind === 'gone' || page.format !== FORMAT) return null
    const { version, intake } = page
    const parts = await renderObject(page.readData(), { version: version + 1, intake, renderer })
    return parts.bytes.length > LARGEST_OBJECT ? null : parts
  } catch (error) {
    log(`refill: ${seen.key}: ${readMessage(error)}`)
    return null
  }
}
