/** Creates an embedded database: inserts the documents, adds the log of changes, then renames the file. */
import { existsSync, lstatSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { explainSqlite } from './embedded-file.ts'
import { createLog, DOCUMENTS } from './embedded-schema.ts'
import { RefusedError, writeNewFile } from './new-file.ts'

/**
 * Inserts the initial documents. They are not logged, because the triggers do not exist yet. If it throws, the file is
 * not created.
 */
type Fill = (database: DatabaseSync) => Promise<void> | void

// Loading needs neither a rollback journal nor syncs, because the file is renamed only when it is complete and synced.
const LOADING = 'PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536'

/** Rejects with a `RefusedError` if `path` exists or is a symbolic link, which the new file would replace. */
export async function createEmbedded(path: string, fill: Fill = () => {}): Promise<void> {
  if (existsSync(path) || lstatSync(path, { throwIfNoEntry: false }) !== undefined)
    throw new RefusedError(`${path} exists already: name another file`)
  try {
    await writeNewFile(path, async (temporary) => {
      await fillDatabase(temporary, fill)
      // SQLite would apply the journal of an earlier file of this name to the new one.
      for (const suffix of ['-journal', '-wal', '-shm']) rmSync(path + suffix, { force: true })
    })
  } catch (error) {
    throw explainSqlite(path, error)
  }
}

async function fillDatabase(path: string, fill: Fill): Promise<void> {
  const database = new DatabaseSync(path)
  try {
    database.exec(`${LOADING}; BEGIN; ${DOCUMENTS}`)
    await fill(database)
    createLog(database)
    database.exec('COMMIT')
  } finally {
    database.close()
  }
}
