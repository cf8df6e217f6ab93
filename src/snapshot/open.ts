/** Opens the snapshot's file. */
import type { DatabaseSync } from 'node:sqlite'
import { findBucket } from './bucket.ts'
import { openDatabase } from '../sqlite/open.ts'
import { createApply } from './apply.ts'
import { createReads } from './reads.ts'
import { SNAPSHOT_SCHEMA, SNAPSHOT_VERSION } from './schema.ts'
import type { Snapshot } from './snapshot.ts'

export function openSnapshot(file: string): Snapshot {
  return createSnapshot(openDatabase(file, { version: SNAPSHOT_VERSION, sql: SNAPSHOT_SCHEMA }))
}

/** For whoever reads catalogue after catalogue: the file's pages are looked at where they are, not copied. */
export function openSnapshotToRead(file: string): Snapshot {
  const database = openDatabase(file, { version: SNAPSHOT_VERSION, sql: SNAPSHOT_SCHEMA })
  database.exec('PRAGMA mmap_size = 134217728')
  return createSnapshot(database)
}

function createSnapshot(database: DatabaseSync): Snapshot {
  database.function('sitemap_bucket', { deterministic: true }, (seller) => findBucket(String(seller)))
  return { ...createApply(database), ...createReads(database) }
}
