/** Opens a reader that creates the search index's entries from the picture store and an open snapshot. */
import { createReadEntry } from '../../publish/search/read-entry.ts'
import type { ReadEntry } from '../../publish/search/put-sellers.ts'
import type { Snapshot } from '../../state/snapshot/snapshot.ts'
import type { Configuration } from '../configuration.ts'
import { openStatePictures, readDataFacts } from '../deploy/open-state-pictures.ts'

interface Entries {
  readonly read: ReadEntry
  close(): void
}

export interface EntriesOptions {
  readonly configuration: Pick<Configuration, 'site' | 'photos' | 'maxProducts'>
  /** The state folder. */
  readonly state: string
}

export function openEntries({ configuration, state }: EntriesOptions, snapshot: Snapshot): Entries {
  const { site } = configuration
  const facts = readDataFacts(configuration)
  const pictures = openStatePictures({ site, facts, state }, () => {})
  return {
    read: createReadEntry({ snapshot, pictures, publicFiles: new Set(facts.publicFiles), site }),
    close: () => pictures.close(),
  }
}
