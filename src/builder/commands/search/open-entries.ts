/** Opens a reader that creates the search index's entries from the picture store and an open snapshot. */
import { join } from 'node:path'
import { needsPreviews } from '../../../domain/documents/page-switches.ts'
import { openPictures } from '../../pictures/open-pictures.ts'
import { createReadEntry } from '../../publish/search/read-entry.ts'
import type { ReadEntry } from '../../publish/search/put-sellers.ts'
import { readManifest } from '../../state/manifest.ts'
import { ROOT } from '../../state/project-folder.ts'
import type { Snapshot } from '../../state/snapshot/snapshot.ts'
import type { Configuration } from '../configuration.ts'
import { readPublicFile } from '../rebuild/open-world.ts'
import { PICTURES } from '../rebuild/state-files.ts'

interface Entries {
  readonly read: ReadEntry
  close(): void
}

export interface EntriesOptions {
  readonly configuration: Pick<Configuration, 'site' | 'photos'>
  /** The state folder. */
  readonly state: string
}

export function openEntries({ configuration, state }: EntriesOptions, snapshot: Snapshot): Entries {
  const { site, photos } = configuration
  const pictures = openPictures(
    { ...photos, makesPreviews: needsPreviews(site), brand: site.name, store: join(state, PICTURES) },
    { readPublicFile, now: Date.now, warn: () => {} },
  )
  const publicFiles = new Set(Object.keys(readManifest(join(ROOT, 'public'), '.')))
  return {
    read: createReadEntry({ snapshot, pictures, publicFiles, site }),
    close: () => pictures.close(),
  }
}
