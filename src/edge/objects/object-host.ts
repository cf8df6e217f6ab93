/** The services and the renderer that calls about objects use. */
import type { ObjectLedger } from '../coordinator/object-ledger.ts'
import type { EdgeRenderer } from './edge-renderer.ts'
import type { ObjectStore } from './object-store.ts'

export interface ObjectHost {
  readonly store: ObjectStore
  readonly renderer: EdgeRenderer
  readonly ledger: ObjectLedger
  /**
   * Deletes the cached pages that `listAddresses` names for an object, in this data centre. Never rejects: a page that
   * stays in the cache is fresh for only a few seconds anyway.
   */
  readonly forgetPages: (name: string) => Promise<void>
  /** Makes the search index read objects after they were put. Never rejects. Absent in a site without an index. */
  readonly feedIndex?: (names: readonly string[]) => Promise<void>
  readonly log: (line: string) => void
}
