/** Opens the snapshot's file. */
import { DatabaseSync } from 'node:sqlite'
import { openDatabase, LOCK_PATIENCE } from '../sqlite/open-database.ts'
import { runTransaction } from '../sqlite/transactions.ts'
import { writeJson } from '../sqlite/values.ts'
import type { UnchangedCheck } from '../../sources/source.ts'
import { createApply } from './apply-documents.ts'
import { createChangedProducts } from './changed-products.ts'
import { createDifferenceLog } from './differences.ts'
import { createUnchangedCheck } from './find-hash.ts'
import { createHeldReads } from './held-removals.ts'
import { createProductLimit } from './limit-products.ts'
import { createReads, findSitemapBucket } from './snapshot-reads.ts'
import { SNAPSHOT_PAGE, SNAPSHOT_SCHEMA, SNAPSHOT_VERSION } from './snapshot-schema.ts'
import type { Snapshot } from './snapshot.ts'
import { createWaits } from './waits.ts'

interface SnapshotComparison {
  readonly isUnchanged: UnchangedCheck
  close(): void
}

/** Opens the snapshot read-only, so that a second thread that reads the source can compare documents with it. */
export function openComparison(file: string): SnapshotComparison {
  const database = new DatabaseSync(file, { readOnly: true, timeout: LOCK_PATIENCE })
  return { isUnchanged: createUnchangedCheck(database), close: () => database.close() }
}

export function openSnapshot(file: string): Snapshot {
  const database = openDatabase(file, {
    application: 'snap',
    version: SNAPSHOT_VERSION,
    sql: SNAPSHOT_SCHEMA,
    pageSize: SNAPSHOT_PAGE,
  })
  database.function('sitemap_bucket', { deterministic: true }, (seller) => findSitemapBucket(String(seller)))
  const limit = createProductLimit(database)
  const products = createChangedProducts(database, limit)
  const waits = createWaits(database, products.widen)
  return {
    ...createApply(database, products),
    ...createReads(database, { limit, products }),
    waits,
    applyPictures: (sellers, position) =>
      runTransaction(database, () => {
        waits.add(sellers)
        writeJson(database, 'pictures', position)
      }),
    ...createHeldReads(database),
    logDifferences: () => createDifferenceLog(database),
  }
}
