/** Creates an embedded database: inserts the documents, adds the index and the change log, then renames the file. */
import { existsSync, lstatSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { explainSqlite } from './embedded-errors.ts'
import { createDerived } from './embedded-mend.ts'
import { DOCUMENTS } from './embedded-schema.ts'
import { RefusedError, writeNewFile } from './new-file.ts'

/**
 * Inserts the initial documents. They are not logged as changes, because the triggers do not exist yet. If `Fill`
 * throws, the file is not created.
 */
type Fill = (database: DatabaseSync) => Promise<void> | void

// Loading needs neither a rollback journal nor syncs, because the file is renamed only when it is complete and synced.
// SQLite also uses the 64 MiB cache for sorting.
const LOADING = 'PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536'

/** Rejects with a `RefusedError` if `path` exists or is a symbolic link, which the new file would replace. */
export async function createEmbedded(path: string, fill: Fill = () => {}): Promise<void> {
  if (existsSync(path)) throw new RefusedError(`${path} exists already: name another file`)
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined)
    throw new RefusedError(
      `${path} is a symbolic link to a file that does not exist: restore that file, name it instead of the link, or remove the link`,
    )
  try {
    await writeNewFile(path, async (temporary) => {
      await fillDatabase(temporary, fill)
      // Removes leftover journals of an earlier file of this name, because SQLite would apply them to the new file.
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
    createDerived(database)
    database.exec('COMMIT')
  } finally {
    database.close()
  }
}
