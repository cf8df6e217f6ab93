/** Follows a source: tells that it changed, as soon as that can be seen. */
import type { FirestoreOptions } from './firestore/firestore-client.ts'
import type { Source, Watcher } from './source.ts'
import { isDatabaseFile } from './open-source.ts'

export interface Followed {
  /** A file or a folder, when it is not Firestore. */
  readonly source: string
  readonly firestore: FirestoreOptions | null
}

/**
 * Settles once changes are seen; one before that is not told of. Answers what makes of the source one that is read with
 * less, where following it tells more than that it changed.
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
