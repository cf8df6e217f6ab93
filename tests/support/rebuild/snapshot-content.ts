/** Reads all of a snapshot, so that tests can compare two. */
import type { Snapshot } from '../../../src/builder/state/snapshot/snapshot.ts'

export function readContent(snapshot: Snapshot): object {
  return {
    totals: snapshot.readTotals(),
    problems: snapshot.readProblems(),
    catalogues: [...snapshot.readSellers()].map((seller) => snapshot.readCatalogue(seller)),
    listed: snapshot.readBuckets().map((bucket) => snapshot.readBucket(bucket)),
  }
}
