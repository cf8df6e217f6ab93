/**
 * Opens a SQLite file whose content cannot be recreated. A file that is damaged or of another format is renamed, and
 * never removed.
 */
import { existsSync, renameSync } from 'node:fs'
import { join, parse } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isDamage } from '../result-codes.ts'
import { acquireLock, BusyError } from '../state/locks.ts'
import type { Schema } from '../state/sqlite/open-database.ts'
import { fillDatabase, LOCK_PATIENCE, openIf, SUFFIXES } from '../state/sqlite/open-database.ts'

/** `warn` is called with a message if the file was renamed and a new one was created in its place. */
export function openKeptDatabase(
  file: string,
  schema: Schema,
  warn: (message: string) => void,
): DatabaseSync {
  if (file === ':memory:') return fillDatabase(new DatabaseSync(file), schema)
  return openIf(file, schema) ?? withLock(file, () => openIf(file, schema) ?? create(file, schema, warn))
}

/** Reads the whole database, and renames it if it is damaged. No process may have it open. */
export function setAsideDamaged(file: string, warn: (message: string) => void): void {
  const isDamaged = existsSync(file) && readFirst(file, 'PRAGMA quick_check(1)') !== 'ok'
  if (isDamaged) withLock(file, () => setAside(file, warn))
}

function create(file: string, schema: Schema, warn: (message: string) => void): DatabaseSync {
  // A file without tables is new, or of a process that ended before it created them.
  if (readFirst(file, 'SELECT count(*) FROM sqlite_schema') !== 0) setAside(file, warn)
  return fillDatabase(new DatabaseSync(file, { timeout: LOCK_PATIENCE }), schema)
}

/** Returns the first value that the query gives; `null` if the file is damaged. */
function readFirst(file: string, sql: string): unknown {
  const database = new DatabaseSync(file, { timeout: LOCK_PATIENCE })
  try {
    return Object.values(database.prepare(sql).get() ?? {})[0]
  } catch (error) {
    if (!isDamage(error)) throw error
    return null
  } finally {
    database.close()
  }
}

/** Runs `work` unless another process creates or replaces the file. */
function withLock<T>(file: string, work: () => T): T {
  const { dir, name } = parse(file)
  const lock = acquireLock(join(dir, `${name}-lock.sqlite`), { wait: LOCK_PATIENCE })
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
