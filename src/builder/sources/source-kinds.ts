/**
 * The kinds of sources: how to recognize the name of a source of each kind, and how to open and follow the source.
 * Loads the code of one kind only.
 */
import { existsSync } from 'node:fs'
import type { FirestoreOptions } from './firestore/firestore-client.ts'
import type { Source, Watcher } from './source.ts'
import { SourceError } from './source.ts'

export interface OpenOptions {
  readonly firestore?: FirestoreOptions | null
}

/**
 * Opens `firestore`, or the path of a database or a folder. Rejects with a `SourceError` if the source cannot be
 * opened.
 */
export async function openSource(name: string, { firestore = null }: OpenOptions = {}): Promise<Source> {
  if (name === 'firestore') {
    if (firestore !== null) return (await import('./firestore/firestore.ts')).openFirestore(firestore)
    throw new SourceError('cannot read Firestore without a project: set FIREBASE_PROJECT_ID to its id')
  }
  if (isDatabaseFile(name)) return (await import('./embedded/embedded.ts')).openEmbedded(name)
  if (existsSync(name)) return (await import('./folder/folder.ts')).openFolder(name)
  throw new SourceError(
    `there is no folder ${name}: a source is firestore, a file that ends in .sqlite or .db, or an existing folder`,
  )
}

/**
 * Calls the watcher soon after a change is visible. Does not report changes made before it resolves. Rejects with a
 * `SourceError` if such a source cannot be followed.
 */
export async function followSource(name: string, watcher: Watcher): Promise<void> {
  if (name === 'firestore')
    throw new SourceError(
      'Firestore cannot be followed: deploy functions/firestore-trigger, whose webhook reports each change, and run npm run deploy -- --watch',
    )
  const { followEmbedded, followFolder } = await import('./follow-files.ts')
  const follow = isDatabaseFile(name) ? followEmbedded : followFolder
  follow(name, watcher)
}

export function isDatabaseFile(name: string): boolean {
  return /\.(sqlite|db)$/i.test(name)
}
