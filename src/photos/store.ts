/** The picture store: what is known of each photo, its picture, and who shows it. SQLite; it fetches nothing. */
import { openDatabase } from '../sqlite/open.ts'
import type { Picture } from '../domain/picture.ts'
import type { Validators } from './fetch-photo.ts'
import { PICTURE_SCHEMA } from './schema.ts'
import { createSocialStore } from './social-store.ts'
import type { SocialStore } from './social-store.ts'
import { createNewsStore } from './news-store.ts'
import type { NewsStore } from './news-store.ts'
import { createPhotoStore } from './photo-store.ts'
import { createShownStore } from './shown-store.ts'
import type { ShownStore } from './shown-store.ts'

export interface KnownPhoto {
  readonly address: string
  /** Failures in a row. */
  readonly tries: number
  readonly validators: Validators
  /** Hash of the bytes it was made from; empty as long as there is no picture. */
  readonly source: string
  readonly hasPicture: boolean
  /** Its picture was made as pictures are made now. */
  readonly isCurrent: boolean
}

export interface StoredFile {
  readonly path: string
  readonly bytes: Uint8Array
}

export interface KeptPicture {
  readonly picture: Picture
  readonly files: readonly StoredFile[]
  readonly source: string
  readonly validators: Validators
  readonly due: number
}

export interface PhotoStore {
  /** Those of `addresses` that have a picture. */
  findPictures(addresses: readonly string[]): ReadonlyMap<string, Picture>
  /** Those of `addresses` that have none. */
  findLacking(addresses: readonly string[]): ReadonlySet<string>
  /** Of the photos gathered without a picture, those that may be tried now and are not slow; at most so many. */
  readWaiting(now: number, most: number): readonly KnownPhoto[]
  /** All that are due, those without a picture first. */
  readDue(now: number): readonly KnownPhoto[]
  /** Why the last try failed, of those that failed. */
  findFailures(addresses: readonly string[]): ReadonlyMap<string, string>
  /** A picture that differs from the one before is news for all who show it. Answers whether it does. */
  keepPicture(address: string, kept: KeptPicture): boolean
  keepUnchanged(address: string, due: number): void
  keepFailure(address: string, reason: string, due: number): void
  markSlow(address: string): void
  /** Sellers whose pages show photos. */
  readUsers(): readonly string[]
  readFile(path: string): Uint8Array | null
  /** Forgets photos that no page shows, and files that no picture names. */
  sweep(): number
}

export interface PictureStore extends PhotoStore, ShownStore, SocialStore, NewsStore {
  /** What `work` changes is kept together or not at all. */
  transact<T>(work: () => T): T
  close(): void
}

export function openPictureStore(file: string): PictureStore {
  const database = openDatabase(file, PICTURE_SCHEMA)
  const news = createNewsStore(database)
  return {
    ...news,
    ...createPhotoStore(database, news),
    ...createShownStore(database),
    ...createSocialStore(database, news),
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
