/** Follows a source: tells that it changed, as soon as that can be seen. */
import type { FirestoreOptions } from './firestore-client.ts'
import { isDatabaseFile } from './sources.ts'
import type { Watcher } from './watcher.ts'

export interface Followed {
  /** A file or a folder, when it is not Firestore. */
  readonly source: string
  readonly firestore: FirestoreOptions | null
}

/** Settles once changes are seen. A change before that is not told of. */
export async function followSource({ source: name, firestore }: Followed, watcher: Watcher): Promise<void> {
  if (firestore !== null) return (await import('./follow-firestore.ts')).followFirestore(firestore, watcher)
  if (isDatabaseFile(name)) (await import('./follow-embedded.ts')).followEmbedded(name, watcher)
  else (await import('./follow-folder.ts')).followFolder(name, watcher)
}
