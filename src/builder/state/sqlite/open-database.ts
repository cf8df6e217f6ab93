/** Opens a SQLite file of a known format. */
import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { UsageError } from '../../files/usage-error.ts'
import { isDamage, isUnusable } from '../../result-codes.ts'

export interface Schema {
  /** A number above 0. Increase it when the tables change. */
  readonly version: number
  readonly sql: string
  /** Page size of a new file in bytes, a power of two. Default: SQLite's own. */
  readonly pageSize?: number
}

/** Suffixes of a database's path: for its file, and for the files that SQLite keeps next to it. */
export const SUFFIXES = ['', '-wal', '-shm', '-journal'] as const

/** Milliseconds for which a connection waits for the lock of another. */
export const LOCK_PATIENCE = 10_000

// SQLite copies the write-ahead log to the file after this number of pages. Each copy takes two forced writes. With
// SQLite's default of 1,000 pages, a first build would take many more forced writes.
const CHECKPOINT = 8_000
const SETTINGS = `PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = ${CHECKPOINT}`

/** A file that is damaged or of another format is replaced, after a call of `discard`, which by default removes it. */
export function openDatabase(file: string, schema: Schema, discard = removeDatabase): DatabaseSync {
  const found = openIf(file, schema)
  if (found !== null) return found
  discard(file)
  return fillDatabase(new DatabaseSync(file, { timeout: LOCK_PATIENCE }), schema)
}

export function removeDatabase(file: string): void {
  for (const suffix of SUFFIXES) rmSync(file + suffix, { force: true })
}

/** Returns `null` for a file that is missing, damaged, or of another kind or version. */
function openIf(file: string, schema: Schema): DatabaseSync | null {
  const database = openFile(file, LOCK_PATIENCE)
  try {
    if (isOfSchema(database, schema)) {
      database.exec(SETTINGS)
      return database
    }
  } catch (error) {
    if (!isDamage(error)) throw error
  }
  database.close()
  return null
}

/** Throws a `UsageError` if the file cannot be opened, for example because it is a folder. */
export function openFile(file: string, timeout: number): DatabaseSync {
  try {
    return new DatabaseSync(file, { timeout })
  } catch (error) {
    throw isUnusable(error) ? createRefusal(file, error) : error
  }
}

export function createRefusal(file: string, cause: unknown): UsageError {
  return new UsageError(`${file} is not a file that you may write: remove it, or permit writing to it`, {
    cause,
  })
}

/** Creates the tables in an empty database. */
function fillDatabase(database: DatabaseSync, { version, sql, pageSize }: Schema): DatabaseSync {
  // Set before `SETTINGS`, because the page size cannot change after the write-ahead log is turned on.
  if (pageSize !== undefined) database.exec(`PRAGMA page_size = ${pageSize}`)
  database.exec(SETTINGS)
  database.exec(`BEGIN IMMEDIATE; ${sql} PRAGMA user_version = ${version}; COMMIT`)
  return database
}

// Also checks that the tables are there, and reads the schema, which finds most damage.
function isOfSchema(database: DatabaseSync, { version, sql }: Schema): boolean {
  if (database.prepare('PRAGMA user_version').get()?.['user_version'] !== version) return false
  const rows = database.prepare('SELECT name FROM sqlite_schema').all()
  const names = new Set(rows.map((row) => String(row['name'])))
  return [...sql.matchAll(/^CREATE (?:UNIQUE )?(?:TABLE|INDEX) (\w+)/gm)].every(([, name = '']) =>
    names.has(name),
  )
}
