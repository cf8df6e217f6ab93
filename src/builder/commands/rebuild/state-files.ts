/** Names the databases in the state folder, and removes them when they are damaged or unknown. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { readResultCode } from '../../result-codes.ts'
import { SUFFIXES } from '../../state/sqlite/open-database.ts'
import { setAsideDamaged } from '../../pictures/open-kept-database.ts'

export const STATE = 'state.sqlite'
export const PICTURES = 'pictures.sqlite'

/** Databases of formats that this code does not know. */
const UNKNOWN = ['snapshot.sqlite', 'record.sqlite', 'published.sqlite']

/**
 * Removes the state after an error that reports damage, so that the next run reads everything. Pictures cannot be made
 * anew, so a damaged picture store is renamed. No process may have the files open.
 */
export function removeDamaged(folder: string, warn: (message: string) => void): void {
  removeDatabases(folder, [STATE])
  setAsideDamaged(join(folder, PICTURES), warn)
}

export function removeUnknown(folder: string): void {
  removeDatabases(folder, UNKNOWN)
}

/** Returns the error. If it is one of SQLite, its message then names the folder: SQLite names no file. */
export function nameFolder(error: unknown, folder: string): unknown {
  if (error instanceof Error && readResultCode(error) > 0 && !error.message.startsWith(folder))
    error.message = `${folder}: ${error.message}`
  return error
}

function removeDatabases(folder: string, names: readonly string[]): void {
  for (const name of names)
    for (const suffix of SUFFIXES) rmSync(join(folder, name + suffix), { force: true })
}
