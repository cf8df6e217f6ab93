/**
 * Returns the tags of objects, which a builder needs before it reads its source. Reports the seen objects to the
 * coordinator.
 */
import { formatBucketPrefix, formatObjectKey, parseObjectKey } from '../../domain/objects/object-key.ts'
import type { ObjectTag, TagsAnswer, TagsCall } from '../../domain/wire/object-calls.ts'
import type { SettledObject } from '../coordinator/object-ledger.ts'
import { mapLimited } from './map-limited.ts'
import type { ObjectHost } from './object-host.ts'
import { parseNotes } from './object-notes.ts'
import type { SeenObject } from './object-store.ts'
import { OBJECTS_AT_ONCE } from './put-objects.ts'

interface Named {
  readonly name: string
  readonly seen: SeenObject | null
}

export async function listTags(call: TagsCall, host: ObjectHost): Promise<TagsAnswer> {
  const { objects, next } = 'names' in call ? await seeNamed(call.names, host) : await seeBucket(call, host)
  const settled = objects.flatMap(createSettled)
  // Reports the seen objects, because the report of a put may have been lost.
  if (settled.length > 0) await host.ledger.settle(settled, 'seen')
  if ('bucket' in call) await settleMissing(call, next, { host, objects })
  const { code, intake, format } = host.renderer
  return { worker: { code, intake, format }, objects: objects.map(createTag), next }
}

const COUNTS_OF_NOTHING = { isGone: true, products: 0, hasProfile: false, updated: '' }

interface Listed {
  readonly host: ObjectHost
  readonly objects: readonly Named[]
}

/**
 * Reports objects that a person deleted from the store: the coordinator knows them, and their keys are in the listed
 * range, but they are not in the list.
 */
async function settleMissing(
  { bucket, after }: { readonly bucket: number; readonly after: string | null },
  next: string | null,
  { host: { ledger, store }, objects }: Listed,
): Promise<void> {
  const listed = new Set(objects.map(({ name }) => name))
  const missing: SettledObject[] = []
  const unlisted = (await ledger.readKnown(bucket)).filter(({ name }) => !listed.has(name))
  await mapLimited(unlisted, OBJECTS_AT_ONCE, async (known) => {
    const key = await formatObjectKey(known.name)
    const isHere = (after === null || key > after) && (next === null || key <= next)
    // Checks the store again, because the object may have been put since the list was read.
    if (isHere && (await store.head(key)) === null) missing.push({ ...known, ...COUNTS_OF_NOTHING })
  })
  if (missing.length > 0) await ledger.settle(missing, 'missing')
}

async function seeNamed(
  names: readonly string[],
  { store }: ObjectHost,
): Promise<{ readonly objects: readonly Named[]; readonly next: null }> {
  const see = async (name: string): Promise<Named> => ({
    name,
    seen: await store.head(await formatObjectKey(name)),
  })
  return { objects: await mapLimited(names, OBJECTS_AT_ONCE, see), next: null }
}

async function seeBucket(
  { bucket, after }: { readonly bucket: number; readonly after: string | null },
  { store }: ObjectHost,
): Promise<{ readonly objects: readonly Named[]; readonly next: string | null }> {
  const { objects, next } = await store.list(formatBucketPrefix(bucket), after)
  return { objects: objects.map((seen) => ({ name: parseObjectKey(seen.key), seen })), next }
}

function createTag({ name, seen }: Named): ObjectTag {
  if (seen === null) return { name, tag: null, version: 0, digest: null, intake: null }
  const { version, digest, intake } = parseNotes(seen)
  return { name, tag: seen.tag, version, digest, intake }
}

function createSettled({ name, seen }: Named): readonly SettledObject[] {
  if (seen === null) return []
  const { version, digest, products, hasProfile, updated } = parseNotes(seen)
  return [{ name, version, isGone: digest === null, products, hasProfile, updated }]
}
