/** Handles the builders' calls about objects. */
import type {
  OBJECT_CALLS,
  PushAnswer,
  PushedObject,
  PushResult,
  UnreadBatch,
} from '../../domain/wire/object-calls.ts'
import { parseObjectData } from '../../domain/wire/seller-body.ts'
import { listTags } from '../objects/list-tags.ts'
import type { ObjectHost } from '../objects/object-host.ts'
import { acceptObjects } from '../objects/push-objects.ts'
import { findMissing, storeFiles } from '../objects/store-files.ts'
import type { Handlers } from './handlers.ts'
import { refuse } from './refuse.ts'

export const OBJECT_HANDLERS: Handlers<ObjectHost, typeof OBJECT_CALLS> = {
  readTags: (host, call) => listTags(call, host),
  // A batch in another data format cannot be read, even if its shape is valid.
  push: async (host, batch) =>
    batch.format === host.renderer.format ? await pushRead(batch, host) : refuse(422),
  findMissing: ({ store }, call) => findMissing(call, store),
  storeFiles: ({ store }, call) => storeFiles(call, store),
}

/** Stores the well-formed objects, and reports what is wrong with each of the others. */
async function pushRead(batch: UnreadBatch, host: ObjectHost): Promise<PushAnswer> {
  const objects: PushedObject[] = []
  const wrong: PushResult[] = []
  for (const { name, tag, ...unread } of batch.objects) {
    const data = parseObjectData({ name, ...unread })
    if (data !== null && 'problem' in data) wrong.push({ name, outcome: 'failed', reason: data.problem })
    else objects.push({ name, tag, data })
  }
  const { results } = await acceptObjects({ ...batch, objects }, host)
  return { results: [...results, ...wrong] }
}
