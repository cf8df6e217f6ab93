/** Names the databases of the state, and removes or repairs damaged ones. */
import { join } from 'node:path'
import { setAsideDamagedPictures } from '../../pictures/store/picture-store.ts'
import { breakCommands } from '../terminal/log-line.ts'
import { isDatabaseSound, removeDatabase } from '../../state/sqlite/open-database.ts'

export const SNAPSHOT = 'snapshot.sqlite'
export const RECORD = 'record.sqlite'
export const PICTURES = 'pictures.sqlite'
export const PUBLISHED_FILES = 'published.sqlite'

export const DAMAGED = 'rebuild: the state is damaged and is being recreated'
export const DAMAGED_DRY = 'rebuild: the state is damaged, and the next run recreates it'

/**
 * Repairs the state after an error that reports damage. Removes the damaged databases among snapshot, record and
 * published files, because the next run creates their content again. If no database of the state is found to be
 * damaged, removes all three. A damaged picture store is renamed.
 */
export function removeState(state: string, warn: (message: string) => void = showOnStderr): void {
  const damaged = removeDamaged(state)
  const isSetAside = setAsideDamagedPictures(join(state, PICTURES), warn)
  if (damaged.length === 0 && !isSetAside) for (const file of listRecreated(state)) removeDatabase(file)
}

/**
 * Checks the databases of the snapshot, the record and the published files completely. Removes the damaged ones and
 * returns their paths. No other run may have them open.
 */
export function removeDamaged(state: string): readonly string[] {
  const damaged = listRecreated(state).filter((file) => !isDatabaseSound(file))
  for (const file of damaged) removeDatabase(file)
  return damaged
}

export function showOnStderr(message: string): void {
  console.error(breakCommands(message))
}

function listRecreated(state: string): readonly string[] {
  return [SNAPSHOT, RECORD, PUBLISHED_FILES].map((name) => join(state, name))
}
