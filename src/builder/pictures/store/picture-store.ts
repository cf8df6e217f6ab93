/** The picture store in SQLite: photos, pictures, and the sellers who show them. Makes no network requests. */
import { openKeptDatabase } from './open-kept-database.ts'
import { runTransaction } from './transactions.ts'
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

export type Warn = (message: string) => void

export interface PictureStore
  extends PictureReads, PhotoStore, PublishedPhotos, SocialStore, PictureChangeStore {
  /**
   * Runs `work` in one transaction, which an error rolls back. `work` must be short, because no other process can write
   * to the store meanwhile.
   */
  transact<T>(work: () => T): T
  /** Runs work that writes only to temporary tables, in one transaction that does not block other processes. */
  gather<T>(work: () => T): T
  close(): void
}

/** `warn` is called if the file was damaged or of another version, and was renamed. */
export function openPictureStore(file: string, warn: Warn): PictureStore {
  const database = openKeptDatabase(file, PICTURE_SCHEMA, warn)
  const changes = createPictureChangeStore(database)
  return {
    ...changes,
    ...createPictureReads(database),
    ...createPhotoStore(database, changes),
    ...createPublishedPhotos(database),
    ...createSocialStore(database, changes),
    transact: (work) => runTransaction(database, work),
    gather: (work) => runTransaction(database, work, 'BEGIN'),
    close: () => database.close(),
  }
}
