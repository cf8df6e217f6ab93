/** The pictures for shared links in the store: one for each seller, with the hash of its inputs. */
import type { DatabaseSync } from 'node:sqlite'
import type { PictureChangeStore } from './picture-changes.ts'
import type { StoredFile } from './photo-store.ts'

export interface SocialStore {
  keepSocial(seller: string, inputs: string, file: StoredFile): void
  /** Does nothing if there is none. */
  dropSocial(seller: string): void
}

export function createSocialStore(database: DatabaseSync, changes: PictureChangeStore): SocialStore {
  const find = database.prepare('SELECT path FROM socials WHERE seller = ?')
  return {
    keepSocial: (seller, inputs, { path, bytes }) => {
      const before = find.get(seller)?.['path']
      database.prepare('INSERT OR IGNORE INTO files VALUES (?, ?)').run(path, bytes)
      database.prepare('INSERT OR REPLACE INTO socials VALUES (?, ?, ?)').run(seller, path, inputs)
      if (before !== path) changes.addChange(seller)
    },
    dropSocial: (seller) => {
      if (find.get(seller) !== undefined) database.prepare('DELETE FROM socials WHERE seller = ?').run(seller)
    },
  }
}
