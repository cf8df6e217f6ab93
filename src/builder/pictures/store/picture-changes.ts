/** Sellers whose pictures changed, numbered, so that what comes while a page is rendered is not forgotten with it. */
import type { DatabaseSync } from 'node:sqlite'
import type { PictureStoreVersion } from '../../state/record/record.ts'

export interface PictureChanges {
  readonly sellers: readonly string[]
  readonly version: PictureStoreVersion
}

export interface PictureChangeStore {
  readChanges(): PictureChanges
  /** What was read at that version and since then not again. */
  forgetChanges(version: PictureStoreVersion): void
  addChange(seller: string): void
  /** For all who show a photo. */
  addPhotoChange(address: string): void
}

const NEXT = "(SELECT value FROM meta WHERE name = 'sequence')"
const ADVANCE = "UPDATE meta SET value = value + 1 WHERE name = 'sequence'"

export function createPictureChangeStore(database: DatabaseSync): PictureChangeStore {
  const read = (name: string): string =>
    String(database.prepare('SELECT value FROM meta WHERE name = ?').get(name)?.['value'])
  return {
    readChanges: () => ({
      // First: what comes in between counts as later.
      version: { identity: read('identity'), sequence: Number(read('sequence')) },
      sellers: database
        .prepare('SELECT seller FROM news ORDER BY seller')
        .all()
        .map((row) => String(row['seller'])),
    }),
    forgetChanges: ({ sequence }) => {
      const known = database.prepare('SELECT 1 FROM news WHERE sequence <= ? LIMIT 1').get(sequence)
      if (known !== undefined) database.prepare('DELETE FROM news WHERE sequence <= ?').run(sequence)
    },
    addChange: (seller) => {
      database.exec(ADVANCE)
      database.prepare(`INSERT OR REPLACE INTO news VALUES (?, ${NEXT} + 0)`).run(seller)
    },
    addPhotoChange: (address) => {
      database.exec(ADVANCE)
      database
        .prepare(`INSERT OR REPLACE INTO news SELECT seller, ${NEXT} + 0 FROM uses WHERE address = ?`)
        .run(address)
    },
  }
}
