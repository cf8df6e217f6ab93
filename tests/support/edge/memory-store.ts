/** A store of objects in memory that imitates R2: puts are conditional, lists are ordered by key, tags are hashes. */
import { createHash } from 'node:crypto'
import type { ObjectStore, StoredObject } from '../../../src/edge/objects/object-store.ts'

const MAX_LISTED = 1_000

/** `objects`: the stored objects, by key. */
export function createMemoryStore(objects: Map<string, StoredObject> = new Map()): ObjectStore {
  return {
    head: async (key) => {
      const found = objects.get(key)
      return found === undefined ? null : createSeen(found)
    },
    get: async (key, count) => {
      const found = objects.get(key)
      if (found === undefined) return null
      const { length } = found.bytes
      return { ...found, bytes: found.bytes.subarray(0, count?.(createSeen(found), length) ?? length) }
    },
    put: async (key, bytes, { seen, notes }) => {
      if ((objects.get(key)?.tag ?? null) !== seen) return null
      const tag = createHash('md5').update(bytes).digest('hex')
      objects.set(key, { key, tag, notes, bytes: bytes.slice() })
      return tag
    },
    list: async (prefix, after) => {
      const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > (after ?? ''))
      const listed = keys.sort(compareBytes).slice(0, MAX_LISTED)
      const found = listed.flatMap((key) => objects.get(key) ?? [])
      return {
        objects: found.map(createSeen),
        next: keys.length > MAX_LISTED ? (listed.at(-1) ?? null) : null,
      }
    },
  }
}

function createSeen({ key, tag, notes }: StoredObject): Pick<StoredObject, 'key' | 'tag' | 'notes'> {
  return { key, tag, notes }
}

function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
