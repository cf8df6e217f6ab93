/** Opens an existing embedded database and returns a connection in a transaction. */
import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { explainSqlite } from './embedded-errors.ts'
import { isSound, mend } from './embedded-mend.ts'
import { SourceError } from '../source.ts'

/** Time to wait for another program's write, in milliseconds. */
const WAIT = 5_000

/** The connection reads one consistent state until it is closed. */
export function openForReading(path: string): DatabaseSync {
  return open(path, (database) => {
    database.exec('BEGIN')
    if (isSound(database)) return
    database.exec('ROLLBACK')
    mend(path, database)
    database.exec('BEGIN')
    isSound(database)
  })
}

/** The connection holds the write lock until its transaction ends. */
export function openForWriting(path: string): DatabaseSync {
  return open(path, (database) => {
    if (!isSound(database)) mend(path, database)
    database.exec('BEGIN IMMEDIATE')
  })
}

function open(path: string, prepare: (database: DatabaseSync) => void): DatabaseSync {
  try {
    requireFile(path)
    const database = new DatabaseSync(formatAddress(path), { timeout: WAIT })
    try {
      prepare(database)
      return database
    } catch (error) {
      database.close()
      throw error
    }
  } catch (error) {
    throw explainSqlite(path, error)
  }
}

function requireFile(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isFile() === true) return
  const why = found === undefined ? 'there is no such file' : 'it is not a file'
  const next = `make one with \`npm run import -- <folder> ${path}\``
  throw new SourceError(`cannot read the database ${path} (${why}): ${next}`)
}

// By default SQLite creates a missing file; `mode=rw` also covers a file removed after the check above.
function formatAddress(path: string): URL {
  const address = pathToFileURL(path)
  address.searchParams.set('mode', 'rw')
  return address
}
