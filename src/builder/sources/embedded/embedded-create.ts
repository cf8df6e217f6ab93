/** Makes an embedded database: filled first, indexed and given its change log after, and only then in its place. */
import { existsSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { explainSqlite } from './embedded-errors.ts'
import { createDerived } from './embedded-mend.ts'
import { DOCUMENTS } from './embedded-schema.ts'
import { RefusedError, writeNewFile } from './new-file.ts'

/** Inserts the first documents, which are not logged as changes. If it throws, no file remains. */
type Fill = (database: DatabaseSync) => Promise<void> | void

// Nobody sees the file before it is whole, so there is nothing to roll back; the cache (64 MiB) is for documents that
// do not come in the order of their ids.
const LOADING = 'PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536'

/** Refuses to overwrite. */
export async function createEmbedded(path: string, fill: Fill = () => {}): Promise<void> {
  if (existsSync(path)) throw new RefusedError(`${path} exists already: name another file`)
  try {
    await writeNewFile(path, async (temporary) => {
      await fillDatabase(temporary, fill)
      // A journal left by an earlier file of this name would be played into the new one.
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
