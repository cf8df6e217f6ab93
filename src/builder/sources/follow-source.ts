/** Follows a source: calls the watcher as soon as a change is visible. */
import type { FirestoreOptions } from './firestore/firestore-client.ts'
import type { Source, Watcher } from './source.ts'
import { isDatabaseFile } from './open-source.ts'

export interface Followed {
  /** Path of a database file or a folder; ignored when `firestore` is set. */
  readonly source: string
  readonly firestore: FirestoreOptions | null
}

/**
 * Resolves when following has begun; earlier changes are not reported. Returns a function that wraps the source: where
 * following receives the documents themselves, the wrapped source reads them from memory.
 */
export async function followSource(
  { source: name, firestore }: Followed,
  watcher: Watcher,
): Promise<(source: Source) => Source> {
  if (firestore !== null)
    return (await import('./firestore/follow-firestore.ts')).followFirestore(firestore, watcher)
  if (isDatabaseFile(name)) (await import('./embedded/follow-embedded.ts')).followEmbedded(name, watcher)
  else (await import('./folder/follow-folder.ts')).followFolder(name, watcher)
  return (source) => source
}
