/** A lane of a story: how the index is fed and repaired, and when it must have everything. */
import type { IndexedObject } from '../../../src/domain/search/search-index.ts'
import type { SearchHappening, SearchWork } from './happenings.ts'
import type { StoryDocuments } from './story-documents.ts'
import type { StorySite } from './story-site.ts'

export interface Lane {
  readonly site: StorySite
  readonly documents: StoryDocuments
  /** Resolves when the process has ended, however. `between` runs before each of its calls. */
  run(work: SearchWork, between?: (number: number) => Promise<void>): Promise<void>
  /** What concerns one lane only. */
  happen(one: SearchHappening): Promise<void>
  /** The index lost what it had. */
  noteLoss(): void
  /** Returns what the index must have now; `null` if it need not be right before the next comparison. */
  findExpected(): Promise<readonly IndexedObject[] | null>
  /** Nothing is killed any more: afterwards the index must have everything. */
  comeToRest(): Promise<void>
}

export interface LaneSetup {
  /** Holds the state files of all machines. */
  readonly folder: string
}
