/** Chooses the source by its name and loads only the code that this one needs. */
import type { EmbeddedSource } from './embedded.ts'
import type { Source } from './source.ts'
import { SourceError } from './source.ts'

const DATABASE_FILE = /\.(sqlite|db)$/i

/** `firestore`, a file that ends in `.sqlite` or `.db`, or a folder. Throws a `SourceError`. */
export async function openSource(name: string): Promise<Source> {
  if (name === 'firestore') throw new SourceError(NO_FIRESTORE)
  if (isDatabaseFile(name)) return (await import('./embedded.ts')).openEmbedded(name)
  return (await import('./folder.ts')).openFolder(name)
}

export function isDatabaseFile(name: string): boolean {
  return DATABASE_FILE.test(name)
}

/** True for an embedded database made from the bundled sample, which must never be published. */
export function isSample(source: Source): boolean {
  return isEmbedded(source) && source.readOrigin() === 'sample'
}

function isEmbedded(source: Source): source is EmbeddedSource {
  return 'readOrigin' in source
}

const NO_FIRESTORE =
  'cannot read Firestore: it is not available in this version; name a .sqlite file or a folder as the source'
