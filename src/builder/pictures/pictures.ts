/**
 * Pictures for pages: a second source beside the documents, with a store, a queue and retry times of its own.
 *
 * A page never waits for a photo. It is made of its documents and of what the picture store has for them; a photo
 * that has no picture is shown under its original address. So the same data, code and store give the same bytes.
 *
 * - The store is one SQLite file in the state folder. It knows each photo by its address: the picture made of it, the
 *   hash of the bytes it was made from, what the host said to ask by whether it changed, why the last try failed and
 *   when the next one is due. Files are named by what is in them, so that equal photos are one file.
 * - A rebuild gives the photos of the sellers whose pages it renders a bounded time. What is not ready stays in the
 *   queue; what once took longer than a rebuild waits is left to `npm run photos`, which works the queue off, asks
 *   for photos whose time has come whether they changed, and drops what no page shows.
 * - Pictures for shared links wait for nobody outside: a small site's are drawn by the rebuild, all of them, so that a
 *   clean build has the same ones. On a larger site the first ones come from `npm run photos`.
 * - A picture that comes or changes is news for every seller who shows the photo: news are numbered, and the next
 *   plan looks at those sellers as if their data had changed. A rebuild forgets the news that it saw, no later ones.
 * - The record notes which files a page shows. One that no page shows any more is retained for three publishes, for
 *   visitors whose page still names it, then removed.
 * - A store that is lost, or older than the one that the record followed, is noticed by its version: then every page
 *   is looked at. Nothing here is loaded by a run that has no new photo but the store and its SQL.
 */
import type { PictureStoreVersion } from '../state/record/record.ts'
import type { Catalogue } from '../../domain/catalogue/catalogue.ts'
import type { Json } from '../../domain/documents/json.ts'
import type { CataloguePictures, Picture } from '../../domain/photos/picture.ts'
import type { PictureChanges } from './store/picture-changes.ts'
import type { UnmadePicture } from '../../domain/photos/sort-photos.ts'

export interface PicturePreparation {
  /** Some page is now made of other pictures. */
  readonly hasChanges: boolean
  /** How many photos wait for their turn. */
  readonly waiting: number
  /** How many pictures for shared links are still to be drawn. */
  readonly undrawn: number
  readonly troubles: readonly UnmadePicture[]
}

/** What a page is made of besides its documents. */
export interface PictureFinder {
  find(catalogue: Catalogue): CataloguePictures
}

export interface Pictures extends PictureFinder {
  /** What of the configuration reaches pages. */
  readonly settings: Json
  readChanges(): PictureChanges
  forgetChanges(version: PictureStoreVersion): void
  /** Works for a bounded time on what the pages of these sellers lack; all pictures for shared links are drawn where `drawsAll`. */
  prepare(catalogues: Iterable<Catalogue>, drawsAll: boolean): Promise<PicturePreparation>
  /** A file that a page shows; `null` when the store has lost it. */
  readFile(path: string): Uint8Array | null
  close(): void
}

export const NOTHING_PREPARED: PicturePreparation = {
  hasChanges: false,
  waiting: 0,
  undrawn: 0,
  troubles: [],
}

/** Without a store: each photo is shown as `findPicture` has it, `null` for its original address. */
export function createStorelessPictures(
  settings: Json,
  findPicture: (address: string) => Picture | null = () => null,
): Pictures {
  return {
    settings,
    find: ({ products }) => ({
      photos: Object.fromEntries(
        products.flatMap(({ photo }) => {
          const picture = photo === null ? null : findPicture(photo)
          return photo === null || picture === null ? [] : [[photo, picture]]
        }),
      ),
      social: null,
    }),
    readChanges: () => ({ sellers: [], version: { identity: '', sequence: 0 } }),
    forgetChanges: () => {},
    prepare: async () => NOTHING_PREPARED,
    readFile: () => null,
    close: () => {},
  }
}
