/** Opens a snapshot for a test, and reads all of it, so that tests can compare two. */
import { openSnapshot } from '../../../src/builder/state/snapshot/open-snapshot.ts'
import type { Snapshot } from '../../../src/builder/state/snapshot/snapshot.ts'

/** Opens the snapshot of a file, or of `:memory:`, and closes it after `work`. */
export async function withSnapshot<T>(path: string, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const snapshot = openSnapshot(path)
  try {
    return await work(snapshot)
  } finally {
    snapshot.close()
  }
}

export function readContent(snapshot: Snapshot): object {
  return {
    totals: snapshot.readTotals(),
    problems: snapshot.readProblems(),
    catalogues: [...snapshot.readSellers()].map((seller) => snapshot.readCatalogue(seller)),
    listed: snapshot.readBuckets().map((bucket) => snapshot.readBucket(bucket)),
  }
}
