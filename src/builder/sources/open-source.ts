/** Chooses the kind of source by its name, and loads only the code of that kind. */
import { existsSync } from 'node:fs'
import type { FirestoreOptions } from './firestore/firestore-client.ts'
import type { Source } from './source.ts'
import { SourceError } from './source.ts'

const DATABASE_FILE = /\.(sqlite|db)$/i

export interface OpenOptions {
  readonly firestore?: FirestoreOptions | null
  /** Changes nothing in the source, also where its change log needs a repair. */
  readonly isDry?: boolean
}

/** `name` is `firestore`, a file that ends in `.sqlite` or `.db`, or a folder. Throws a `SourceError`. */
export async function openSource(
  name: string,
  { firestore = null, isDry = false }: OpenOptions = {},
): Promise<Source> {
  if (name === 'firestore') {
    if (firestore === null) throw new SourceError(NO_PROJECT)
    return (await import('./firestore/firestore.ts')).openFirestore(firestore)
  }
  if (isDatabaseFile(name)) return (await import('./embedded/embedded.ts')).openEmbedded(name, { isDry })
  if (!existsSync(name)) throw new SourceError(`there is no folder ${name}: ${KINDS}`)
  return (await import('./folder/folder.ts')).openFolder(name)
}

export function isDatabaseFile(name: string): boolean {
  return DATABASE_FILE.test(name)
}

const KINDS = 'a source is firestore, a file that ends in .sqlite or .db, or an existing folder'
const NO_PROJECT = 'cannot read Firestore without a project: set FIREBASE_PROJECT_ID to its id'
