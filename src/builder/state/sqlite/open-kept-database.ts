/**
 * Opens a SQLite file whose content cannot be recreated. A file that is damaged or of another format is renamed, and
 * never removed.
 */
import { existsSync, renameSync } from 'node:fs'
import { join, parse } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isDamage } from '../../result-codes.ts'
import { BusyError } from '../lock-folders.ts'
import { acquireLock } from './lock.ts'
import type { Schema } from './open-database.ts'
import { checkAndClose, fillDatabase, LOCK_PATIENCE, openIf, SUFFIXES } from './open-database.ts'

/** `warn` is called with a message if the file was renamed and a new one was created in its place. */
export function openKeptDatabase(
  file: string,
  schema: Schema,
  warn: (message: string) => void,
): DatabaseSync {
  return openSound(file, schema) ?? createLocked(file, schema, warn)
}

/** Returns whether the file exists and opening it does not change it. */
export function isKeptCurrent(file: string, schema: Schema): boolean {
  const database = openSound(file, schema)
  database?.close()
  return database !== null
}

/**
 * Reads the whole database, and renames it if it is damaged or of another format. Returns whether it was renamed. No
 * run may have the database open.
 */
export function setAsideDamaged(file: string, schema: Schema, warn: (message: string) => void): boolean {
  if (!existsSync(file)) return false
  const database = openSound(file, schema)
  if (database !== null && checkAndClose(database)) return false
  withLock(file, () => setAside(file, warn))
  return true
}

// Returns `null` for a file that has to be created or set aside.
function openSound(file: string, schema: Schema): DatabaseSync | null {
  return existsSync(file) ? openIf(file, schema, (database) => isComplete(database, schema)) : null
}

// Creates or replaces the file under a lock, unless another process has just done so.
function createLocked(file: string, schema: Schema, warn: (message: string) => void): DatabaseSync {
  if (file === ':memory:') return fillDatabase(new DatabaseSync(file), schema)
  return withLock(file, () => {
    const database = openSound(file, schema)
    if (database !== null) return database
    if (existsSync(file) && !isEmpty(file)) setAside(file, warn)
    return fillDatabase(new DatabaseSync(file, { timeout: LOCK_PATIENCE }), schema)
  })
}

function withLock<T>(file: string, work: () => T): T {
  const { dir, name } = parse(file)
  const lock = acquireLock(join(dir, `${name}-lock.sqlite`), LOCK_PATIENCE)
  if (lock === null)
    throw new BusyError(
      `Another process is creating or replacing ${file}. Wait for it to end, then run again.`,
    )
  try {
    return work()
  } finally {
    lock.release()
  }
}

// Returns true for the file of a process that ended before it created the tables.
function isEmpty(file: string): boolean {
  const database = new DatabaseSync(file, { timeout: LOCK_PATIENCE })
  try {
    return database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined
  } catch (error) {
    if (!isDamage(error)) throw error
    return false
  } finally {
    database.close()
  }
}

function isComplete(database: DatabaseSync, { sql }: Schema): boolean {
  const rows = database.prepare('SELECT name FROM sqlite_schema').all()
  const names = new Set(rows.map((row) => String(row['name'])))
  return [...sql.matchAll(/^CREATE (?:TABLE|INDEX) (\w+)/gm)].every(([, name = '']) => names.has(name))
}

// Renames the database itself last, because SQLite would apply a log that is left behind to the new file.
function setAside(file: string, warn: (message: string) => void): void {
  const aside = nameAside(file)
  for (const suffix of SUFFIXES.toReversed())
    if (existsSync(file + suffix)) renameSync(file + suffix, aside + suffix)
  warn(
    `${file} is damaged or of another version. It was renamed to ${aside}, and a new file takes its place.`,
  )
}

/** Returns the first free name. Names are numbered from 1. */
function nameAside(file: string): string {
  const { dir, name, ext } = parse(file)
  const format = (number: number): string => join(dir, `${name}.kept-${number}${ext}`)
  let number = 1
  while (existsSync(format(number))) number += 1
  return format(number)
}
