/** The stored pictures for shared links: one for each seller and one for the home page, with a hash of the inputs. */
import type { DatabaseSync } from 'node:sqlite'
import { HOME } from '../../../domain/pages/find-pictures.ts'
import { listTexts } from '../../state/sqlite/values.ts'
import type { PictureChangeStore } from './picture-changes.ts'
import type { StoredFile } from './photo-store.ts'

/** Stores pictures for shared links. `seller` may be `HOME`, which is the home page. */
export interface SocialStore {
  keepSocial(seller: string, inputs: string, file: StoredFile): void
  /** Returns the sellers with a picture for shared links, without `HOME`. */
  readDrawn(): readonly string[]
}

export function createSocialStore(database: DatabaseSync, changes: PictureChangeStore): SocialStore {
  const find = database.prepare('SELECT path FROM socials WHERE seller = ?')
  return {
    readDrawn: () => listTexts(database.prepare('SELECT seller FROM socials WHERE seller <> ?'), HOME),
    keepSocial: (seller, inputs, { path, bytes }) => {
      const before = find.get(seller)?.['path']
      database.prepare('INSERT OR IGNORE INTO files VALUES (?, ?)').run(path, bytes)
      database.prepare('INSERT OR REPLACE INTO socials VALUES (?, ?, ?)').run(seller, path, inputs)
      if (before === path) return
      if (seller === HOME) changes.addHomeChange()
      else changes.addChange(seller)
    },
  }
}
