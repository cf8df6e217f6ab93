/** Makes an embedded database: filled first, indexed and given its change log after, and only then in its place. */
import { existsSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { explainSqlite } from './embedded-errors.ts'
import { createDerived } from './embedded-mend.ts'
import { TABLES } from './embedded-schema.ts'
import type { Origin } from './embedded.ts'
import { RefusedError, writeNewFile } from './new-file.ts'

export interface CreateOptions {
  readonly origin?: Origin
  /** Inserts the first documents, which appear in no log. A throw leaves no file behind. */
  readonly fill?: (database: DatabaseSync) => Promise<void> | void
}

// Nobody sees the file before it is whole, so there is nothing to roll back; the cache (64 MiB) is for documents that
// do not come in the order of their ids.
const LOADING = 'PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536'

/** Refuses to overwrite. */
export async function createEmbedded(path: string, options: CreateOptions = {}): Promise<void> {
  if (existsSync(path)) throw new RefusedError(`${path} exists already: name another file`)
  try {
    await writeNewFile(path, async (temporary) => {
      await fillDatabase(temporary, options)
      // A journal left by an earlier file of this name would be played into the new one.
      for (const suffix of ['-journal', '-wal', '-shm']) rmSync(path + suffix, { force: true })
    })
  } catch (error) {
    throw explainSqlite(path, error)
  }
}

async function fillDatabase(path: string, { origin = '', fill }: CreateOptions): Promise<void> {
  const database = new DatabaseSync(path)
  try {
    database.exec(`${LOADING}; BEGIN; ${TABLES.documents}; ${TABLES.meta}`)
    database.prepare("INSERT INTO meta VALUES ('origin', ?)").run(origin)
    await fill?.(database)
    createDerived(database)
    database.exec('COMMIT')
  } finally {
    database.close()
  }
}
