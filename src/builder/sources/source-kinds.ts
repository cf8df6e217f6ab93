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
  /** If true, the source is not repaired, even if its change log needs a repair. */
  readonly isDry?: boolean
}

export interface Followed extends OpenOptions {
  /** `firestore`, or the path of a database or a folder. */
  readonly source: string
}

/**
 * Wraps a source so that it reads documents from memory, if following the source delivers documents. Otherwise returns
 * the source unchanged.
 */
type Cover = (source: Source) => Source

interface SourceKind {
  /** Describes, for messages, which names of sources belong to this kind. */
  readonly names: string
  readonly has: (name: string) => boolean
  readonly open: (name: string, options: OpenOptions) => Promise<Source>
  readonly follow: (name: string, options: OpenOptions, watcher: Watcher) => Promise<Cover>
}

const DATABASE_FILE = /\.(sqlite|db)$/i
const AS_IT_IS: Cover = (source) => source

/** A name belongs to the first kind for which `has` returns true. */
const SOURCE_KINDS: readonly SourceKind[] = [
  {
    names: 'firestore',
    has: (name) => name === 'firestore',
    open: async (_, options) =>
      (await import('./firestore/firestore.ts')).openFirestore(requireProject(options)),
    follow: async (_, options, watcher) =>
      (await import('./firestore/follow-firestore.ts')).followFirestore(requireProject(options), watcher),
  },
  {
    names: 'a file that ends in .sqlite or .db',
    has: isDatabaseFile,
    open: async (name, { isDry = false }) =>
      (await import('./embedded/embedded.ts')).openEmbedded(name, { isDry }),
    follow: async (name, _, watcher) => {
      ;(await import('./embedded/follow-embedded.ts')).followEmbedded(name, watcher)
      return AS_IT_IS
    },
  },
  {
    names: 'or an existing folder',
    has: () => true,
    open: async (name) => {
      if (!existsSync(name))
        throw new SourceError(
          `there is no folder ${name}: a source is ${SOURCE_KINDS.map(({ names }) => names).join(', ')}`,
        )
      return (await import('./folder/folder.ts')).openFolder(name)
    },
    follow: async (name, _, watcher) => {
      ;(await import('./folder/follow-folder.ts')).followFolder(name, watcher)
      return AS_IT_IS
    },
  },
]

/** Rejects with a `SourceError` if the source cannot be opened. */
export async function openSource(name: string, options: OpenOptions = {}): Promise<Source> {
  return findKind(name).open(name, options)
}

/**
 * Calls the watcher soon after a change is visible. Does not report changes made before following began. Resolves when
 * following has begun, with the `Cover` of the source.
 */
export async function followSource({ source, ...options }: Followed, watcher: Watcher): Promise<Cover> {
  return findKind(source).follow(source, options, watcher)
}

export function isDatabaseFile(name: string): boolean {
  return DATABASE_FILE.test(name)
}

function findKind(name: string): SourceKind {
  const kind = SOURCE_KINDS.find(({ has }) => has(name))
  if (kind === undefined) throw new Error('the last kind of source must accept every name')
  return kind
}

function requireProject({ firestore = null }: OpenOptions): FirestoreOptions {
  if (firestore !== null) return firestore
  throw new SourceError('cannot read Firestore without a project: set FIREBASE_PROJECT_ID to its id')
}
