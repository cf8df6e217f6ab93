/** Writes a part of a full read to a separate file, in another thread, and copies that file into the snapshot. */
import { DatabaseSync } from 'node:sqlite'
import type { Batches } from '../../sources/batch-items.ts'
import type { SourceItem, UnchangedItem } from '../../sources/source.ts'
import { removeDatabase } from '../sqlite/open-database.ts'
import type { IntakeCounts } from './intake.ts'
import { createIntake } from './intake.ts'
import { PART_SCHEMA, SNAPSHOT_PAGE } from './snapshot-schema.ts'

/** A file with the entries and problems of some documents. No document is in two parts. */
export interface SnapshotPart {
  readonly file: string
  readonly counts: IntakeCounts
}

// A part that is lost is read again, so it need not be forced to the disk.
const BEGIN = `PRAGMA page_size = ${SNAPSHOT_PAGE}; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN`

/** Writes the entries and problems of `items` to a new file, which replaces an earlier one of this name. */
export async function writePart(
  file: string,
  items: Batches<SourceItem | UnchangedItem>,
): Promise<SnapshotPart> {
  removeDatabase(file)
  const database = new DatabaseSync(file)
  try {
    database.exec(`${BEGIN}; ${PART_SCHEMA}`)
    const intake = createIntake(database, { table: 'entries', isPartial: false })
    for await (const batch of items) for (const item of batch) intake.take(item)
    database.exec('COMMIT')
    return { file, counts: { ...intake.counts } }
  } finally {
    database.close()
  }
}

/**
 * Copies a part's entries into `table`, which has the other entries of the same read, and its problems into `problems`.
 */
export function copySnapshotPart(
  database: DatabaseSync,
  { file }: SnapshotPart,
  table: 'incoming' | 'entries',
): void {
  database.prepare('ATTACH ? AS part').run(file)
  database.exec(`INSERT INTO ${table} SELECT * FROM part.entries`)
  // Replaces rows, as `createIntake` does, because two problems may have the same key: an id that is not text is stored
  // as text, and another document may have this text as its id.
  database.exec('INSERT OR REPLACE INTO main.problems SELECT * FROM part.problems')
}

/**
 * Must be called after the transaction that copied the part, because SQLite keeps the part open until the transaction
 * ends.
 */
export function detachPart(database: DatabaseSync): void {
  const isAttached = database.prepare("SELECT 1 FROM pragma_database_list WHERE name = 'part'").get()
  if (isAttached !== undefined) database.exec('DETACH part')
}
