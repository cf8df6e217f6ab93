/** Opens an existing embedded database with SQLite. */
import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { explainSqlite } from './embedded-errors.ts'
import { isSound, mend } from './embedded-mend.ts'
import { SourceError } from '../source.ts'

/** Time to wait for another program's write, in milliseconds. */
const WAIT = 5_000

/**
 * Parameters of the file's URI. The modes `ro` and `rw` both keep SQLite from creating a missing file. `ro` also keeps
 * SQLite from moving a write-ahead log into the file when the connection is closed.
 */
const ADDRESSES = {
  /** Takes no lock. The caller must check after the read that no other program has written meanwhile. */
  unlocked: { mode: 'ro', immutable: '1' },
  reading: { mode: 'ro' },
  writing: { mode: 'rw' },
} as const

/**
 * Opens the database, repairs it if necessary, and begins a transaction. The connection holds the write lock until the
 * transaction ends.
 */
export function openForWriting(path: string): DatabaseSync {
  return explainErrors(path, () => {
    requireFile(path)
    return prepare(connect(path, 'writing'), (database) => {
      if (!isSound(database)) mend(path, database)
      database.exec('BEGIN IMMEDIATE')
    })
  })
}

export function connect(path: string, use: keyof typeof ADDRESSES): DatabaseSync {
  const address = pathToFileURL(path)
  for (const [name, value] of Object.entries(ADDRESSES[use])) address.searchParams.set(name, value)
  return new DatabaseSync(address, { timeout: WAIT, readOnly: use !== 'writing' })
}

/** Runs `work` and returns the connection. Closes it if `work` throws. */
export function prepare(database: DatabaseSync, work: (database: DatabaseSync) => void): DatabaseSync {
  try {
    work(database)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

export function requireFile(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isFile() === true) return
  const why = found === undefined ? 'there is no such file' : 'it is not a file'
  const next = `name another file, or make one with \`npm run import -- <folder> ${path}\``
  throw new SourceError(`cannot read the database ${path} (${why}): ${next}`)
}

export function explainErrors<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw explainSqlite(path, error)
  }
}
