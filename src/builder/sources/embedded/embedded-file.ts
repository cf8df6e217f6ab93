/** Opens an existing embedded database with SQLite, and explains SQLite's errors. */
import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { readMessage } from '../../../domain/documents/errors.ts'
import { isReadOnly, readResultCode } from '../../result-codes.ts'
import { SourceError } from '../source.ts'
import { createLog } from './embedded-schema.ts'

/** Time to wait for another program's write, in milliseconds. */
const WAIT = 5_000

const SOUND_FILE = 'restore a backup, or make a new file with `npm run import`'
const FOREIGN = `it is no database of this program: name another file, or ${SOUND_FILE}`
const PERMISSION = 'you need permission to read and write the file and its folder'

/** Source: https://sqlite.org/rescode.html */
const ADVICE: Readonly<Record<number, string>> = {
  1: FOREIGN,
  3: PERMISSION,
  5: 'another program is writing to it: wait until it is done, or close it',
  8: PERMISSION,
  14: PERMISSION,
  26: FOREIGN,
}

/** Opens the database and begins a transaction, in which all reads see one state. Does not write into the file. */
export function openForReading(path: string): DatabaseSync {
  return explainErrors(path, () => {
    try {
      return openChecked(path, true)
    } catch (error) {
      if (!isReadOnly(error)) throw error
      // A killed program left a transaction, which only a writable connection can roll back.
      openChecked(path, false).close()
      return openChecked(path, true)
    }
  })
}

/**
 * Runs `work` in a transaction with the write lock. If it throws, nothing has changed. Repairs the log of changes if it
 * must.
 */
export async function changeDatabase<T>(
  path: string,
  work: (database: DatabaseSync) => T | Promise<T>,
): Promise<T> {
  let database: DatabaseSync | null = null
  try {
    database = openChecked(path, false)
    database.exec('ROLLBACK; BEGIN IMMEDIATE')
    database.prepare('SELECT seller FROM documents LIMIT 0')
    createLog(database)
    const result = await work(database)
    database.exec('COMMIT')
    return result
  } catch (error) {
    throw explainSqlite(path, error)
  } finally {
    database?.close()
  }
}

/** Runs `work`, and turns SQLite's errors into a `SourceError`. */
export function explainErrors<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw explainSqlite(path, error)
  }
}

/** Returns other errors than SQLite's as they are. */
export function explainSqlite(path: string, error: unknown): unknown {
  const code = readResultCode(error)
  if (code === 0) return error
  const next = ADVICE[code] ?? `check that it is a sound database, or ${SOUND_FILE}`
  return new SourceError(`cannot use the database ${path} (${readMessage(error)}): ${next}`, { cause: error })
}

// The first query takes the lock and shows whether the file is a database with the table.
function openChecked(path: string, readOnly: boolean): DatabaseSync {
  requireFile(path)
  const database = new DatabaseSync(path, { timeout: WAIT, readOnly })
  try {
    database.exec('BEGIN')
    database.prepare('SELECT collection, id, update_time, data FROM documents LIMIT 1').get()
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function requireFile(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isFile() === true) return
  const why = found === undefined ? 'there is no such file' : 'it is not a file'
  const next = `name another file, or make one with \`npm run import -- <folder> ${path}\``
  throw new SourceError(`cannot read the database ${path} (${why}): ${next}`)
}
