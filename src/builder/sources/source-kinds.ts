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

interface SourceKind {
  readonly open: (name: string, options: OpenOptions) => Promise<Source>
  readonly follow: (name: string, watcher: Watcher) => Promise<void>
}

const SOURCE_KINDS = {
  firestore: {
    open: async (_, { firestore = null }) => {
      if (firestore === null)
        throw new SourceError('cannot read Firestore without a project: set FIREBASE_PROJECT_ID to its id')
      return (await import('./firestore/firestore.ts')).openFirestore(firestore)
    },
    follow: async () => {
      throw new SourceError(
        'Firestore cannot be followed: deploy functions/firestore-trigger, whose webhook reports each change, and run npm run deploy -- --watch',
      )
    },
  },
  database: {
    open: async (name) => (await import('./embedded/embedded.ts')).openEmbedded(name),
    follow: async (name, watcher) => (await import('./follow-files.ts')).followEmbedded(name, watcher),
  },
  folder: {
    open: async (name) => {
      if (existsSync(name)) return (await import('./folder/folder.ts')).openFolder(name)
      throw new SourceError(
        `there is no folder ${name}: a source is firestore, a file that ends in .sqlite or .db, or an existing folder`,
      )
    },
    follow: async (name, watcher) => (await import('./follow-files.ts')).followFolder(name, watcher),
  },
} as const satisfies Record<string, SourceKind>

/**
 * Opens `firestore`, or the path of a database or a folder. Rejects with a `SourceError` if the source cannot be
 * opened.
 */
export async function openSource(name: string, options: OpenOptions = {}): Promise<Source> {
  return findKind(name).open(name, options)
}

/**
 * Calls the watcher soon after a change is visible. Does not report changes made before it resolves. Rejects with a
 * `SourceError` if such a source cannot be followed.
 */
export async function followSource(name: string, watcher: Watcher): Promise<void> {
  await findKind(name).follow(name, watcher)
}

export function isDatabaseFile(name: string): boolean {
  return /\.(sqlite|db)$/i.test(name)
}

function findKind(name: string): SourceKind {
  if (name === 'firestore') return SOURCE_KINDS.firestore
  return isDatabaseFile(name) ? SOURCE_KINDS.database : SOURCE_KINDS.folder
}
