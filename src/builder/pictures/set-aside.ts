/** Keeps databases whose content cannot be made anew: one that is damaged or of another format is renamed. */
import { existsSync, renameSync, statSync } from 'node:fs'
import { join, parse } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isDamage } from '../result-codes.ts'
import { LOCK_PATIENCE, SUFFIXES } from '../state/sqlite/open-database.ts'

type Warn = (message: string) => void

/** Reads the whole database, and renames it if it is damaged. No process may have it open. */
export function setAsideDamaged(file: string, warn: Warn): void {
  if (existsSync(file) && !isSound(file)) setAside(file, warn)
}

function isSound(file: string): boolean {
  const database = new DatabaseSync(file, { timeout: LOCK_PATIENCE })
  try {
    return database.prepare('PRAGMA quick_check(1)').get()?.['quick_check'] === 'ok'
  } catch (error) {
    if (!isDamage(error)) throw error
    return false
  } finally {
    database.close()
  }
}

/** Renames the files of a database. One without a table is new, or of a process that ended before it made them. */
export function setAside(file: string, warn: Warn): void {
  if (!existsSync(file) || statSync(file).size === 0) return
  const { dir, name, ext } = parse(file)
  const format = (number: number): string => join(dir, `${name}.kept-${number}${ext}`)
  let number = 1
  while (existsSync(format(number))) number += 1
  const aside = format(number)
  // The database itself comes last, because SQLite would apply a log that is left behind to the new file.
  for (const suffix of SUFFIXES.toReversed())
    if (existsSync(file + suffix)) renameSync(file + suffix, aside + suffix)
  warn(
    `${file} is damaged or of another version. It was renamed to ${aside}, and a new file takes its place.`,
  )
}
