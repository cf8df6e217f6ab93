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
import { mapLimited } from '../objects/map-limited.ts'
import type { ObjectHost } from '../objects/object-host.ts'
import { acceptObjects } from '../objects/push-objects.ts'
import { OBJECTS_AT_ONCE } from '../objects/put-objects.ts'
import type { Handlers } from './handlers.ts'
import { refuse } from './refuse.ts'

export const OBJECT_HANDLERS: Handlers<ObjectHost, typeof OBJECT_CALLS> = {
  readTags: (host, call) => listTags(call, host),
  // Refuses a batch whose data format is not that of this Worker, even if its shape is valid.
  push: async (host, batch) =>
    batch.format === host.renderer.format ? await pushRead(batch, host) : refuse(422),
  findMissing: async ({ store }, { paths }) => {
    const found = await mapLimited(paths, OBJECTS_AT_ONCE, (path) => store.head(path))
    return { missing: paths.filter((_, index) => found[index] === null) }
  },
  // Stores pictures, and hashed assets that older pages refer to. A file's name contains a hash of its content, so a
  // file is put once and never replaced. `stored` is the number of files that were not in the store.
  storeFiles: async ({ store }, { files }) => {
    const tags = await mapLimited(files, OBJECTS_AT_ONCE, ({ path, content }) =>
      store.put(path, content, { seen: null, notes: {} }),
    )
    return { stored: tags.filter((tag) => tag !== null).length }
  },
}

/** Handles the well-formed objects, and reports what is wrong with each of the others. */
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
