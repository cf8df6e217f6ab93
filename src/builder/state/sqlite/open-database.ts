/** Opens a SQLite file whose content can be recreated: replaces a damaged or outdated file with an empty database. */
import { closeSync, existsSync, openSync, readSync, rmSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { isDamage } from '../../result-codes.ts'

export interface Schema {
  /** Four letters that identify the kind of database, stored as SQLite's application id. */
  readonly application: string
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

/**
 * `patience` is the number of milliseconds that the opening, and each later statement, waits for the lock of another
 * connection.
 */
export function openDatabase(file: string, schema: Schema, patience = LOCK_PATIENCE): DatabaseSync {
  const isUsable = (database: DatabaseSync) => hasSchema(database, schema.sql) && isWhole(database, file)
  return openIf(file, schema, isUsable, patience) ?? createDatabase(file, schema, patience)
}

/** Returns `null` for a file that is missing, damaged, of another kind or version, or rejected by `isUsable`. */
export function openIf(
  file: string,
  { application, version }: Schema,
  isUsable: (database: DatabaseSync) => boolean,
  patience = LOCK_PATIENCE,
): DatabaseSync | null {
  const database = new DatabaseSync(file, { timeout: patience })
  try {
    const marks = readMarks(database)
    const isOurs = marks.application === toNumber(application) && marks.version === version
    if (isOurs && isUsable(database)) return configureDatabase(database)
  } catch (error) {
    if (!isDamage(error)) throw error
  }
  database.close()
  return null
}

// Returns false if the file is shorter than its number of pages requires, because SQLite would read the missing part of
// the last page as zeros. Does not check the size if the write-ahead log has content, because pages in the log may not
// be in the file yet.
function isWhole(database: DatabaseSync, file: string): boolean {
  const size = readPragma(database, 'page_count') * readPragma(database, 'page_size')
  const { size: logged } = statSync(`${file}-wal`, { throwIfNoEntry: false }) ?? { size: 0 }
  return logged > 0 || (statSync(file, { throwIfNoEntry: false })?.size ?? size) >= size
}

// Compares the text of each CREATE statement, which SQLite stores, with `sql`. Source:
// https://sqlite.org/schematab.html
function hasSchema(database: DatabaseSync, sql: string): boolean {
  const made = database
    .prepare("SELECT sql FROM sqlite_schema WHERE sql <> '' AND name NOT LIKE 'sqlite%'")
    .all()
  const expected = sql.match(/^CREATE /gm) ?? []
  return made.length === expected.length && made.every((row) => sql.includes(String(row['sql'])))
}

/** Reads the whole database. Returns true if it is sound or missing. No other connection may write to it meanwhile. */
export function isDatabaseSound(file: string): boolean {
  if (!existsSync(file)) return true
  readThrough(file)
  return checkAndClose(new DatabaseSync(file, { timeout: LOCK_PATIENCE }))
}

// Reads the file from start to end into the system's cache. The check that follows reads pages in the order of indexes,
// which would take twice as long from a disk.
function readThrough(file: string): void {
  const buffer = Buffer.allocUnsafe(2 ** 20)
  const descriptor = openSync(file, 'r')
  try {
    while (readSync(descriptor, buffer) > 0);
  } finally {
    closeSync(descriptor)
  }
}

// The integrity check looks up each row in the indexes. With SQLite's default cache of 2 MB, checking a snapshot of
// 100,000 sellers takes twice as long.
const ROOMY = 'PRAGMA cache_size = -65536'

/** Reads the whole database, closes it, and returns whether it is sound. */
export function checkAndClose(database: DatabaseSync): boolean {
  try {
    database.exec(ROOMY)
    return database.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check'] === 'ok'
  } catch (error) {
    if (!isDamage(error)) throw error
    return false
  } finally {
    database.close()
  }
}

interface DatabaseMarks {
  /** 0 if the file has no application id. */
  readonly application: number
  readonly version: number
}

function readMarks(database: DatabaseSync): DatabaseMarks {
  return {
    application: readPragma(database, 'application_id'),
    version: readPragma(database, 'user_version'),
  }
}

function readPragma(database: DatabaseSync, name: string): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name])
}

/** Converts four letters to an application id. */
function toNumber(application: string): number {
  return Buffer.from(application, 'latin1').readInt32BE()
}

function createDatabase(file: string, schema: Schema, patience: number): DatabaseSync {
  removeDatabase(file)
  return fillDatabase(new DatabaseSync(file, { timeout: patience }), schema)
}

/** Creates the tables in an empty database. */
export function fillDatabase(
  database: DatabaseSync,
  { application, version, sql, pageSize }: Schema,
): DatabaseSync {
  // Set before `SETTINGS`, because the page size cannot change after the write-ahead log is turned on.
  if (pageSize !== undefined) database.exec(`PRAGMA page_size = ${pageSize}`)
  database.exec(SETTINGS)
  const marks = `PRAGMA application_id = ${toNumber(application)}; PRAGMA user_version = ${version}`
  database.exec(`BEGIN IMMEDIATE; ${sql} ${marks}; COMMIT`)
  return database
}

/** Applies the settings that every connection needs. */
function configureDatabase(database: DatabaseSync): DatabaseSync {
  database.exec(SETTINGS)
  return database
}

export function removeDatabase(file: string): void {
  for (const suffix of SUFFIXES) rmSync(file + suffix, { force: true })
}
