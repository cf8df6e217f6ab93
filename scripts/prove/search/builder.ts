/**
 * Reads a story's source into the snapshot of a machine. The snapshot remains when a process of the machine is killed.
 */
import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { createStorelessPictures } from '../../../src/builder/pictures/pictures.ts'
import { createReadEntry } from '../../../src/builder/publish/search/read-entry.ts'
import type { ReadEntry } from '../../../src/builder/publish/search/put-sellers.ts'
import { mapSwitches } from '../../../src/domain/documents/page-switches.ts'
import type { PageDataSource } from '../../../src/builder/rebuild/plan/page-sources.ts'
import { readSource } from '../../../src/builder/rebuild/read/read-source.ts'
import { openSnapshot } from '../../../src/builder/state/snapshot/open-snapshot.ts'
import type { Snapshot } from '../../../src/builder/state/snapshot/snapshot.ts'
import type { StoryDocuments } from './story-documents.ts'

export const SEARCH_SITE = 'https://one.do'

export interface ReadState {
  readonly snapshot: Snapshot
  readonly read: ReadEntry
}

/** Reads the source into the state in `file`, then runs `work` with the state. */
export async function withReadState<Result>(
  file: string,
  { documents, isWhole }: { readonly documents: StoryDocuments; readonly isWhole: boolean },
  work: (state: ReadState) => Promise<Result>,
): Promise<Result> {
  const snapshot = openSnapshot(file)
  const { waits } = snapshot
  try {
    waits.beginRun()
    await readSource(documents.open(), snapshot, {
      sellers: [],
      isFull: isWhole,
      intake: 'intake',
      accept: () => {},
      progress: () => {},
    })
    // Settles the waiting sellers as a rebuild does after it has written their pages. Here, no pages are written.
    waits.settle('files', waits.list('files'))
    waits.settleComparison('files')
    const data: PageDataSource = {
      snapshot,
      pictures: createStorelessPictures({}),
      publicFiles: new Set<string>(),
      site: { name: 'Vitrina', url: SEARCH_SITE, accessUrl: null, ...mapSwitches(() => false) },
    }
    return await work({ snapshot, read: createReadEntry(data) })
  } finally {
    snapshot.close()
  }
}

/**
 * Replaces the state in `file` by a copy of the state in `from`. If `from` is `null` or does not exist, removes the
 * state.
 */
export function putState(file: string, from: string | null): void {
  for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
  if (from !== null && existsSync(from)) copyFileSync(from, file)
}
