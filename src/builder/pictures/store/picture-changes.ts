/** Sellers whose pictures changed. Changes are numbered, so that one added during a rebuild is kept for the next. */
import type { DatabaseSync } from 'node:sqlite'
import { listTexts, readMeta } from '../../state/sqlite/values.ts'
import type { PictureStoreVersion } from '../../state/record/record.ts'

export interface PictureChanges {
  readonly sellers: readonly string[]
  readonly version: PictureStoreVersion
}

export interface PictureChangeStore {
  readChanges(): PictureChanges
  /** Deletes the changes up to this version. */
  forgetChanges(version: PictureStoreVersion): void
  addChange(seller: string): void
  /** Adds a change that concerns no seller: every run plans the home page. */
  addHomeChange(): void
  /** Adds a change for every seller who shows this photo. */
  addPhotoChange(address: string): void
}

const NEXT = "(SELECT value FROM meta WHERE name = 'sequence')"
const ADVANCE = "UPDATE meta SET value = value + 1 WHERE name = 'sequence'"

export function createPictureChangeStore(database: DatabaseSync): PictureChangeStore {
  return {
    readChanges: () => ({
      // Read before the sellers, so that a change added in between counts as later.
      version: {
        identity: readMeta(database, 'identity'),
        sequence: Number(readMeta(database, 'sequence')),
      },
      sellers: listTexts(database.prepare('SELECT seller FROM news ORDER BY seller')),
    }),
    forgetChanges: ({ sequence }) => {
      const known = database.prepare('SELECT 1 FROM news WHERE sequence <= ? LIMIT 1').get(sequence)
      if (known !== undefined) database.prepare('DELETE FROM news WHERE sequence <= ?').run(sequence)
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
