/** Creates files whole or not at all: an embedded database, and the files of an export. */
import { closeSync, fsyncSync, lstatSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { explainSqlite } from './embedded-file.ts'
import { createLog, DOCUMENTS } from './embedded-schema.ts'

/** The operation is impossible, or would overwrite something. No document was changed. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
}

/**
 * Inserts the initial documents. They are not logged, because the triggers do not exist yet. If it throws, the file is
 * not created.
 */
type Fill = (database: DatabaseSync) => Promise<void> | void

// Loading needs neither a rollback journal nor syncs, because the file is renamed only when it is complete and synced.
const LOADING = 'PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536'

/** Rejects with a `RefusedError` if `path` exists or is a symbolic link, which the new file would replace. */
export async function createEmbedded(path: string, fill: Fill = () => {}): Promise<void> {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined)
    throw new RefusedError(`${path} exists already: name another file`)
  try {
    await writeNewFile(path, async (temporary) => {
      const database = new DatabaseSync(temporary)
      try {
        database.exec(`${LOADING}; BEGIN; ${DOCUMENTS}`)
        await fill(database)
        createLog(database)
        database.exec('COMMIT')
      } finally {
        database.close()
      }
      // SQLite would apply the journal of an earlier file of this name to the new one.
      for (const suffix of ['-journal', '-wal', '-shm']) rmSync(path + suffix, { force: true })
    })
  } catch (error) {
    throw explainSqlite(path, error)
  }
}

/** `write` must create the file at the temporary path that it receives, which is then renamed. */
export async function writeNewFile(path: string, write: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`
  try {
    mkdirSync(dirname(path), { recursive: true })
    rmSync(temporary, { force: true })
    await write(temporary)
    // Otherwise a power cut might leave an empty file under the new name.
    const file = openSync(temporary, 'r+')
    fsyncSync(file)
    closeSync(file)
    renameSync(temporary, path)
  } finally {
    rmSync(temporary, { force: true })
  }
}
