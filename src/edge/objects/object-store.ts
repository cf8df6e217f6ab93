/** The store of objects and files. A put replaces the whole object. The tag of an object identifies its bytes. */

export interface ObjectStore {
  /** Returns `null` if there is no object. */
  head(key: string): Promise<SeenObject | null>
  /**
   * Returns `null` if there is no object. `count` returns how many bytes to read from the start; without `count`, all
   * are read. If `count` throws, the call rejects.
   */
  get(key: string, count?: CountBytes): Promise<StoredObject | null>
  /**
   * Stores the bytes if the object still has the tag `seen`, or if there is still no object and `seen` is `null`.
   * Returns the new tag, or `null` if another writer was faster.
   */
  put(key: string, bytes: Uint8Array, options: PutOptions): Promise<string | null>
  /** Returns up to 1,000 objects in the order of their keys. */
  list(prefix: string, after: string | null): Promise<ObjectList>
}

/** `size` is the size of the object, in bytes. */
export type CountBytes = (seen: SeenObject, size: number) => number

export interface SeenObject {
  readonly key: string
  readonly tag: string
  /** Metadata from the writer, at most 2,048 bytes in total. */
  readonly notes: Readonly<Record<string, string>>
}

export interface StoredObject extends SeenObject {
  readonly bytes: Uint8Array
}

export interface PutOptions {
  readonly seen: string | null
  readonly notes: Readonly<Record<string, string>>
}

export interface ObjectList {
  readonly objects: readonly SeenObject[]
  /** The `after` argument of the next call; `null` at the end. */
  readonly next: string | null
}
