/** Reads the data of objects as they stand, for the search index. */
import { FORMAT } from '../../domain/objects/object-data.ts'
import type { ObjectName } from '../../domain/objects/object-data.ts'
import { formatObjectKey } from '../../domain/objects/object-key.ts'
import type { IndexedObject } from '../../domain/search/search-index.ts'
import { mapLimited } from './map-limited.ts'
import type { ObjectStore } from './object-store.ts'
import { parsePageObject } from './page-object.ts'

/** Requests to the store at a time. */
const LANES = 6

/** Leaves out objects whose data has another format. */
export async function readObjects(
  names: readonly ObjectName[],
  store: Pick<ObjectStore, 'get'>,
): Promise<readonly IndexedObject[]> {
  const read = await mapLimited(names, LANES, (name) => readObject(name, store))
  return read.filter((object) => object !== null)
}

async function readObject(name: ObjectName, store: Pick<ObjectStore, 'get'>): Promise<IndexedObject | null> {
  const stored = await store.get(await formatObjectKey(name))
  if (stored === null) return { name, version: 0, data: null }
  const object = parsePageObject(stored.bytes)
  if (object.kind === 'gone') return { name, version: object.version, data: null }
  return object.format === FORMAT ? { name, version: object.version, data: object.readData() } : null
}
