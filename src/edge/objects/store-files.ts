/**
 * Stores pictures, and hashed assets that older pages refer to. A file's name contains a hash of its content, so a file
 * is put once and never replaced.
 */
import type { FilesAnswer, MissingAnswer, MissingCall, StoredFiles } from '../../domain/wire/object-calls.ts'
import { mapLimited } from './map-limited.ts'
import type { ObjectStore } from './object-store.ts'

/** Max requests to the store at a time. */
const LANES = 6

export async function findMissing({ paths }: MissingCall, store: ObjectStore): Promise<MissingAnswer> {
  const found = await mapLimited(paths, LANES, (path) => store.head(path))
  return { missing: paths.filter((_, index) => found[index] === null) }
}

/** Returns the number of files that were not in the store. */
export async function storeFiles({ files }: StoredFiles, store: ObjectStore): Promise<FilesAnswer> {
  const tags = await mapLimited(files, LANES, ({ path, content }) =>
    store.put(path, content, { seen: null, notes: {} }),
  )
  return { stored: tags.filter((tag) => tag !== null).length }
}
