/** Opens the snapshot's file. */
import { openDatabase } from '../sqlite/open-database.ts'
import { createApply } from './apply-documents.ts'
import { createDifferenceLog } from './differences.ts'
import { createReads, findBucket } from './snapshot-reads.ts'
import { SNAPSHOT_SCHEMA, SNAPSHOT_VERSION } from './snapshot-schema.ts'
import type { Snapshot } from './snapshot.ts'

export function openSnapshot(file: string): Snapshot {
  const database = openDatabase(file, {
    application: 'snap',
    version: SNAPSHOT_VERSION,
    sql: SNAPSHOT_SCHEMA,
  })
  database.function('sitemap_bucket', { deterministic: true }, (seller) => findBucket(String(seller)))
  return {
    ...createApply(database),
    ...createReads(database),
    logDifferences: () => createDifferenceLog(database),
  }
}
