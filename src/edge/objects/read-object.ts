/** Reads the current data of an object for the search index. */
import type { SellerData } from '../../domain/objects/object-data.ts'
import { FORMAT } from '../../domain/objects/object-data.ts'
import { formatObjectKey } from '../../domain/objects/object-key.ts'
import type { ObjectStore } from './object-store.ts'
import { parsePageObject } from './page-object.ts'

/**
 * Returns `null` for a seller without an object, or with a tombstone. Throws for damaged bytes, or for data in another
 * format.
 */
export async function readObject(name: string, store: Pick<ObjectStore, 'get'>): Promise<SellerData | null> {
  const stored = await store.get(await formatObjectKey(name))
  const object = stored === null ? null : parsePageObject(stored.bytes)
  if (object === null || object.kind === 'gone') return null
  if (object.format !== FORMAT)
    throw new Error(
      `the data of this object has format ${object.format}, but this version of the Worker reads format ${FORMAT}`,
    )
  return object.readData()
}
