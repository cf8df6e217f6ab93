/** Names the databases in the state folder, and removes those whose content can be read again. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { SUFFIXES } from '../../state/sqlite/open-database.ts'
import { breakCommands } from '../terminal/log-line.ts'

export const STATE = 'state.sqlite'
export const PICTURES = 'pictures.sqlite'

/** Databases of formats that this code does not know. */
const UNKNOWN = ['snapshot.sqlite', 'record.sqlite', 'published.sqlite']

/** Removes the state, so that the next run reads everything. No process may have it open. */
export function removeState(folder: string): void {
  removeDatabases(folder, [STATE])
}

export function removeUnknown(folder: string): void {
  removeDatabases(folder, UNKNOWN)
}

export function showOnStderr(message: string): void {
  console.error(breakCommands(message))
}

function removeDatabases(folder: string, names: readonly string[]): void {
  for (const name of names)
    for (const suffix of SUFFIXES) rmSync(join(folder, name + suffix), { force: true })
}
