/** Opens the file of an embedded database: never makes one, and hands on a connection in a transaction. */
import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { explainSqlite } from './embedded-errors.ts'
import { isSound, mend } from './embedded-mend.ts'
import { SourceError } from '../source.ts'

/** How long another program's write is waited for, in milliseconds. */
const WAIT = 5_000

/** One consistent state until the connection is closed. */
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

/** Nobody else writes until the transaction ends. */
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

// SQLite would make a missing file by default, also between the look above and the opening.
function formatAddress(path: string): URL {
  const address = pathToFileURL(path)
  address.searchParams.set('mode', 'rw')
  return address
}
