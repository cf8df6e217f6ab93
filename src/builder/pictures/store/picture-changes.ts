/** A log of sellers whose pictures changed. The reader of the log stores the position up to which it has read. */
import type { DatabaseSync } from 'node:sqlite'
import type { PicturePosition } from '../../state/site-state.ts'
import { runTransaction } from './transactions.ts'
import { listTexts, readMeta, writeMeta } from '../../state/sqlite/values.ts'

export interface PictureChangeStore {
  /** Returns the position at the end of the log. */
  readVersion(): PicturePosition
  /**
   * Returns the sellers with changes after this position. Returns `null` if the log cannot list them: the position is
   * `null`, of another store, or beyond the end of the log, or changes after the position may have been deleted.
   */
  readChanges(position: PicturePosition | null): readonly string[] | null
  /** Deletes the changes up to this position. Does nothing for `null` or for a position of another store. */
  forgetChanges(position: PicturePosition | null): void
  addChange(seller: string): void
  /** Advances the position without adding a seller, because every run plans the home page anyway. */
  addHomeChange(): void
  /** Adds a change for every seller who shows this photo. */
  addPhotoChange(address: string): void
}

const NEXT = "(SELECT value FROM meta WHERE name = 'sequence')"
/** Name of the stored position up to which changes were deleted. */
const FORGOTTEN = 'forgotten'
const ADVANCE = "UPDATE meta SET value = value + 1 WHERE name = 'sequence'"

export function createPictureChangeStore(database: DatabaseSync): PictureChangeStore {
  const readVersion = (): PicturePosition => ({
    identity: readMeta(database, 'identity'),
    sequence: Number(readMeta(database, 'sequence')),
  })
  return {
    readVersion,
    readChanges: (position) => {
      const { identity, sequence } = readVersion()
      if (position?.identity !== identity || position.sequence > sequence) return null
      if (position.sequence < Number(readMeta(database, FORGOTTEN))) return null
      return listTexts(
        database.prepare('SELECT seller FROM news WHERE sequence > ? ORDER BY seller'),
        position.sequence,
      )
    },
    forgetChanges: (position) => {
      if (position?.identity !== readVersion().identity) return
      const { sequence } = position
      const known = database.prepare('SELECT 1 FROM news WHERE sequence <= ? LIMIT 1').get(sequence)
      if (known === undefined) return
      runTransaction(database, () => {
        database.prepare('DELETE FROM news WHERE sequence <= ?').run(sequence)
        writeMeta(database, FORGOTTEN, String(sequence))
      })
    },
    addChange: (seller) => {
      database.exec(ADVANCE)
      database.prepare(`INSERT OR REPLACE INTO news VALUES (?, ${NEXT} + 0)`).run(seller)
    },
    addHomeChange: () => database.exec(ADVANCE),
    addPhotoChange: (address) => {
      database.exec(ADVANCE)
      database
        .prepare(`INSERT OR REPLACE INTO news SELECT seller, ${NEXT} + 0 FROM uses WHERE address = ?`)
        .run(address)
    },
  }
}
