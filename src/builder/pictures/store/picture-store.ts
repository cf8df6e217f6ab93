/** The picture store in SQLite: photos, pictures, and the sellers who show them. It fetches nothing. */
import { openDatabase } from '../../state/sqlite/open-database.ts'
import { PICTURE_SCHEMA } from './picture-schema.ts'
import { createSocialStore } from './social-store.ts'
import type { SocialStore } from './social-store.ts'
import { createPictureChangeStore } from './picture-changes.ts'
import type { PictureChangeStore } from './picture-changes.ts'
import { createPhotoStore } from './photo-store.ts'
import type { PhotoStore } from './photo-store.ts'
import { createPublishedPhotos } from './published-photos.ts'
import type { PublishedPhotos } from './published-photos.ts'
import type { PictureReads } from './picture-reads.ts'
import { createPictureReads } from './picture-reads.ts'

export interface PictureStore
  extends PictureReads, PhotoStore, PublishedPhotos, SocialStore, PictureChangeStore {
  /** Runs `work` in one transaction, which an error rolls back. */
  transact<T>(work: () => T): T
  close(): void
}

export function openPictureStore(file: string): PictureStore {
  const database = openDatabase(file, PICTURE_SCHEMA)
  const changes = createPictureChangeStore(database)
  return {
    ...changes,
    ...createPictureReads(database),
    ...createPhotoStore(database, changes),
    ...createPublishedPhotos(database),
    ...createSocialStore(database, changes),
    transact: (work) => {
      database.exec('BEGIN IMMEDIATE')
      try {
        const result = work()
        database.exec('COMMIT')
        return result
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK')
        throw error
      }
    },
    close: () => database.close(),
  }
}
