/** The Worker's side of the delivery, in memory: the same protocol, without rendering. */
import type { SellerData } from '../../../src/domain/objects/object-data.ts'
import { formatObjectData } from '../../../src/domain/objects/object-data.ts'
import { findSitemapBucket } from '../../../src/builder/state/snapshot/snapshot-reads.ts'
import type { ObjectTag, PushBatch, PushResult } from '../../../src/domain/wire/object-calls.ts'
import type { Delivery, Outbox } from '../../../src/builder/publish/objects/delivery.ts'
import type { ObjectClient } from '../../../src/builder/publish/objects/object-client.ts'
import { hashBytes } from '../../../src/builder/state/manifest.ts'

interface TwinObject extends ObjectTag {
  readonly data: SellerData | null
}

export interface ObjectsTwin {
  readonly objects: Map<string, TwinObject>
  readonly files: Map<string, string>
  /** The batches that arrived, and the paths asked for. */
  readonly batches: PushBatch[]
  readonly asked: string[]
  /** Replaces the outcome of a put. Called before it. */
  intercept: (name: string, data: SellerData | null) => Promise<PushResult | null>
  /** Puts as another writer does. */
  put(name: string, data: SellerData | null): void
  readonly client: ObjectClient
}

const PAGE = 3
const WORKER = { code: 'code', intake: 'intake', format: 1 }

export function createObjectsTwin(): ObjectsTwin {
  const objects = new Map<string, TwinObject>()
  const files = new Map<string, string>()
  const batches: PushBatch[] = []
  const asked: string[] = []
  let bytes = 0
  const find = (name: string): ObjectTag => toTag(name, objects.get(name))
  const put = (name: string, data: SellerData | null): TwinObject => {
    const version = find(name).version + 1
    const digest = data === null ? null : hashBytes(formatObjectData(data))
    const object = { name, tag: `${name} ${version}`, version, digest, intake: 'intake', data }
    objects.set(name, object)
    return object
  }
  const twin: ObjectsTwin = {
    objects,
    files,
    batches,
    asked,
    intercept: async () => null,
    put,
    client: {
      readTags: async (call) => {
        if ('names' in call) return { worker: WORKER, objects: call.names.map(find), next: null }
        const names = [...objects.keys()].filter((name) => name !== '').sort()
        const left = names.filter(
          (name) => findSitemapBucket(name) === call.bucket && name > (call.after ?? ''),
        )
        const page = left.slice(0, PAGE)
        const next = left.length > PAGE ? (page.at(-1) ?? null) : null
        return { worker: WORKER, objects: page.map(find), next }
      },
      push: async (batch) => {
        batches.push(batch)
        bytes += JSON.stringify(batch).length
        const results: PushResult[] = []
        for (const { name, tag, data } of batch.objects) {
          const replaced = await twin.intercept(name, data)
          if (replaced !== null) results.push(replaced)
          else if (find(name).tag !== tag) results.push({ name, outcome: 'beaten' })
          else results.push({ name, outcome: 'stored', tag: `${name}`, version: put(name, data).version })
        }
        return { results }
      },
      findMissing: async ({ paths }) => {
        asked.push(...paths)
        return { missing: paths.filter((path) => !files.has(path)) }
      },
      storeFiles: async ({ files: sent }) => {
        for (const { path, content } of sent) files.set(path, content)
        return { stored: sent.length }
      },
      countBytes: () => bytes,
    },
  }
  return twin
}

function toTag(name: string, object: TwinObject | undefined): ObjectTag {
  if (object === undefined) return { name, tag: null, version: 0, digest: null, intake: null }
  const { tag, version, digest, intake } = object
  return { name, tag, version, digest, intake }
}

export interface MemoryOutbox extends Outbox {
  readonly names: Set<string>
}

export function createOutbox(...names: readonly string[]): MemoryOutbox {
  const held = new Set(names)
  const add = (more: readonly string[]): void => more.forEach((name) => held.add(name))
  return {
    names: held,
    read: () => [...held].sort(),
    add,
    postpone: (failures) => add(failures.map(({ seller }) => seller)),
    settle: (stored) => stored.forEach((name) => held.delete(name)),
  }
}

/** A delivery to the twin of what `source` holds at the time of each read. */
export function createDelivery(
  twin: ObjectsTwin,
  outbox: Outbox,
  source: ReadonlyMap<string, SellerData>,
): Delivery {
  return {
    outbox,
    intake: 'intake',
    isShrinkAllowed: false,
    readTags: (call) => twin.client.readTags(call),
    readObjects: async (names) => {
      const read = new Map(names.map((name) => [name, source.get(name) ?? null]))
      return (name) => read.get(name) ?? null
    },
    sendFiles: async () => new Set(),
    push: (batch) => twin.client.push(batch),
    countBytes: () => twin.client.countBytes(),
  }
}
