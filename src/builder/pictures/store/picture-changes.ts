/** Sellers whose pictures changed, numbered, so that what comes while a page is rendered is not forgotten with it. */
import type { DatabaseSync } from 'node:sqlite'
import type { PictureStoreVersion } from '../../state/record/record.ts'

export interface News {
  readonly sellers: readonly string[]
  readonly version: PictureStoreVersion
}

export interface NewsStore {
  readNews(): News
  /** What was read at that version and since then not again. */
  forgetNews(version: PictureStoreVersion): void
  addNews(seller: string): void
  /** For all who show a photo. */
  addNewsOf(address: string): void
}

const NEXT = "(SELECT value FROM meta WHERE name = 'sequence')"
const ADVANCE = "UPDATE meta SET value = value + 1 WHERE name = 'sequence'"

export function createNewsStore(database: DatabaseSync): NewsStore {
  const read = (name: string): string =>
    String(database.prepare('SELECT value FROM meta WHERE name = ?').get(name)?.['value'])
  return {
    readNews: () => ({
      // First: what comes in between counts as later.
      version: { identity: read('identity'), sequence: Number(read('sequence')) },
      sellers: database
        .prepare('SELECT seller FROM news ORDER BY seller')
        .all()
        .map((row) => String(row['seller'])),
    }),
    forgetNews: ({ sequence }) => {
      const known = database.prepare('SELECT 1 FROM news WHERE sequence <= ? LIMIT 1').get(sequence)
      if (known !== undefined) database.prepare('DELETE FROM news WHERE sequence <= ?').run(sequence)
    },
    addNews: (seller) => {
      database.exec(ADVANCE)
      database.prepare(`INSERT OR REPLACE INTO news VALUES (?, ${NEXT} + 0)`).run(seller)
    },
    addNewsOf: (address) => {
      database.exec(ADVANCE)
      database
        .prepare(`INSERT OR REPLACE INTO news SELECT seller, ${NEXT} + 0 FROM uses WHERE address = ?`)
        .run(address)
    },
  }
}
