/**
 * Opens a SQLite file whose content cannot be recreated. Migrates the file, sets it aside if it is damaged, and never
 * removes it.
 */
import { existsSync, renameSync, rmSync } from 'node:fs'
import { join, parse } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { BusyError } from '../lock-folders.ts'
import { UsageError } from '../usage-error.ts'
import { acquireLock } from './lock.ts'
import type { Schema } from './open-database.ts'
import {
  checkAndClose,
  configureDatabase,
  fillDatabase,
  LOCK_PATIENCE,
  openIf,
  readMarks,
  removeDatabase,
  SUFFIXES,
  toNumber,
} from './open-database.ts'
import { isDamage } from '../../result-codes.ts'
import { runTransaction } from './transactions.ts'

export interface KeptSchema extends Schema {
  /** Name of a table that identifies files of the first version, which have no application id. */
  readonly known: string
  /** SQL that migrates from a version to the next one, by the number of the earlier version. */
  readonly migrations: Readonly<Record<number, string>>
  /** Copies what is sound in a damaged database to an empty one. Returns what it copied, for a message. */
  readonly salvage: (damaged: DatabaseSync, target: DatabaseSync) => string
}

/**
 * `warn` is called with a message if the file was set aside. Throws a `UsageError` for a file of a version that cannot
 * be migrated, such as a later one.
 */
export function openKeptDatabase(
  file: string,
  schema: KeptSchema,
  warn: (message: string) => void,
): DatabaseSync {
  return openSound(file, schema) ?? openLocked(file, schema, warn)
}

/** Returns whether the file exists and needs no migration or repair, so that opening it does not change it. */
export function isKeptCurrent(file: string, schema: KeptSchema): boolean {
  const database = openSound(file, schema)
  database?.close()
  return database !== null
}

/**
 * Reads the whole database, and sets it aside if it is damaged. Returns true if it was damaged. Does not check a file
 * of another version. No run may have the database open.
 */
export function rescueKeptDatabase(
  file: string,
  schema: KeptSchema,
  warn: (message: string) => void,
): boolean {
  if (!existsSync(file) || hasOtherVersion(file, schema) || isIntact(file, schema)) return false
  withLock(file, () => setAside(file, schema, warn).close())
  return true
}

// Returns `null` for a file that has to be created, migrated or set aside.
function openSound(file: string, schema: KeptSchema): DatabaseSync | null {
  return existsSync(file) ? openIf(file, schema, (database) => isComplete(database, schema)) : null
}

// Creates, migrates or replaces the file under a lock, unless another process has just done so.
function openLocked(file: string, schema: KeptSchema, warn: (message: string) => void): DatabaseSync {
  if (file === ':memory:') return fillDatabase(new DatabaseSync(file), schema)
  return withLock(file, () => {
    restoreInterrupted(file)
    return openSound(file, schema) ?? migrate(file, schema) ?? setAside(file, schema, warn)
  })
}

function withLock<T>(file: string, work: () => T): T {
  const { dir, name } = parse(file)
  const lock = acquireLock(join(dir, `${name}-lock.sqlite`), LOCK_PATIENCE)
  if (lock === null)
    throw new BusyError(
      `Another process is creating, migrating or repairing ${file}. Wait for it to end, then run again.`,
    )
  try {
    return work()
  } finally {
    lock.release()
  }
}

// Returns `null` for a file that is damaged, of another kind, or incomplete even after migration.
function migrate(file: string, schema: KeptSchema): DatabaseSync | null {
  const database = new DatabaseSync(file, { timeout: LOCK_PATIENCE })
  try {
    if (isEmpty(database)) return fillDatabase(database, schema)
    const { version } = readMarks(database)
    if (isOurKind(database, schema)) {
      const steps = findSteps(version, schema)
      if (steps === null) throw createVersionError(file, version, schema)
      if (version < schema.version) keepBeside(database, file, version)
      const marks = `PRAGMA application_id = ${toNumber(schema.application)}; PRAGMA user_version = ${schema.version}`
      database.exec(`BEGIN IMMEDIATE; ${steps.join('\n')} ${marks}; COMMIT`)
      if (isComplete(database, schema)) return configureDatabase(database)
    }
  } catch (error) {
    // Closing also rolls back an open transaction.
    database.close()
    if (!isDamage(error)) throw error
    return null
  }
  database.close()
  return null
}

// Keeps a copy of the file before its migration, because an earlier version of the program, if it is installed again,
// may replace the migrated file with an empty one.
function keepBeside(database: DatabaseSync, file: string, version: number): void {
  const { dir, name, ext } = parse(file)
  const kept = join(dir, `${name}.version-${version}${ext}`)
  if (existsSync(kept)) return
  rmSync(`${kept}.partial`, { force: true })
  database.prepare('VACUUM INTO ?').run(`${kept}.partial`)
  renameSync(`${kept}.partial`, kept)
}

// Returns the SQL of each migration from version `from` to the current one; `null` if one is missing, or if `from` is
// later than the current version.
function findSteps(from: number, { version, migrations }: KeptSchema): readonly string[] | null {
  if (from > version) return null
  const steps = Array.from({ length: version - from }, (_, index) => migrations[from + index])
  return steps.every((step) => step !== undefined) ? steps : null
}

function createVersionError(file: string, version: number, schema: KeptSchema): UsageError {
  return new UsageError(
    `${file} has version ${version}, and this program reads version ${schema.version}: update the program if the file is of a later version, or move the file away, so that the next run creates the file and its content anew.`,
  )
}

function isEmpty(database: DatabaseSync): boolean {
  return database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined
}

function isOurKind(database: DatabaseSync, { application, known }: KeptSchema): boolean {
  const found = readMarks(database).application
  if (found !== 0) return found === toNumber(application)
  return listNames(database).has(known)
}

function isComplete(database: DatabaseSync, { sql }: KeptSchema): boolean {
  const names = listNames(database)
  return [...sql.matchAll(/^CREATE (?:TABLE|INDEX) (\w+)/gm)].every(([, name = '']) => names.has(name))
}

function listNames(database: DatabaseSync): ReadonlySet<string> {
  const rows = database.prepare('SELECT name FROM sqlite_schema').all()
  return new Set(rows.map((row) => String(row['name'])))
}

// Returns true for a file of another version, which the next opening migrates or refuses.
function hasOtherVersion(file: string, schema: KeptSchema): boolean {
  const database = new DatabaseSync(file, { timeout: LOCK_PATIENCE })
  try {
    return isOurKind(database, schema) && readMarks(database).version !== schema.version
  } catch (error) {
    if (!isDamage(error)) throw error
    return false
  } finally {
    database.close()
  }
}

function isIntact(file: string, schema: KeptSchema): boolean {
  const database = openSound(file, schema)
  return database !== null && checkAndClose(database)
}

/** Suffix of the new database's name until it has replaced the damaged file. */
const SALVAGED = '.salvaged'

// Completes an interrupted `setAside`, which moves a damaged file away only after the new file is complete.
function restoreInterrupted(file: string): void {
  if (existsSync(file) || !existsSync(file + SALVAGED)) return
  // Moves away the files that remain of the damaged database, because SQLite would apply a log among them to the new
  // file.
  moveAway(file, nameAside(file, Math.max(1, countAside(file))))
  renameSync(file + SALVAGED, file)
}

function moveAway(file: string, aside: string): void {
  for (const suffix of SUFFIXES) if (existsSync(file + suffix)) renameSync(file + suffix, aside + suffix)
}

function setAside(file: string, schema: KeptSchema, warn: (message: string) => void): DatabaseSync {
  removeDatabase(file + SALVAGED)
  const target = fillDatabase(new DatabaseSync(file + SALVAGED), schema)
  const damaged = new DatabaseSync(file, { timeout: LOCK_PATIENCE })
  const copied = runTransaction(target, () => schema.salvage(damaged, target))
  damaged.close()
  target.close()
  const aside = nameAside(file, countAside(file) + 1)
  moveAway(file, aside)
  renameSync(file + SALVAGED, file)
  warn(`${file} is damaged. It was renamed to ${aside}. The new file in its place has ${copied}.`)
  return configureDatabase(new DatabaseSync(file, { timeout: LOCK_PATIENCE }))
}

/** Returns the number of files that were set aside. Their names are numbered from 1. */
function countAside(file: string): number {
  let count = 0
  while (existsSync(nameAside(file, count + 1))) count += 1
  return count
}

function nameAside(file: string, number: number): string {
  const { dir, name, ext } = parse(file)
  return join(dir, `${name}.damaged-${number}${ext}`)
}
