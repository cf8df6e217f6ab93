/**
 * Pictures for pages: a second data source next to the documents, with its own store, queue and retry times. Rendering
 * never waits for a photo. A page is made from its documents and the pictures in the store; a photo without a picture
 * is shown under its original address. The same data, code and store give the same bytes.
 *
 * - The store is one SQLite file in the state folder. For each photo address it holds the picture, the hash of the
 *   bytes that the picture was made from, the HTTP validators, the reason of the last failure and the time of the next
 *   try. Picture files are named by a hash of their content, so equal photos share files.
 * - A rebuild spends a bounded time on the photos of the sellers that it renders. Unfinished photos stay in the queue.
 *   `npm run photos`, and a builder after it has published a build that read everything, also process the rest of the
 *   queue (the builder within a larger time limit), revalidate photos that are due, and delete pictures that no seller
 *   shows, unless these are a large part of all pictures. Only they process a photo that once took too long in a
 *   rebuild; later rebuilds skip it.
 * - On a site with pages of products, a photo also has a preview: the uncropped photo, as a JPEG for the link preview
 *   in chats, and as AVIF files in the sizes of the product's page. Picture and preview are made from the same decoded
 *   photo and stored together. A picture without a preview, made by an earlier version or before the site had pages of
 *   products, stays in use. Its photo is queued again, and is processed within the same time limit as new photos.
 * - Pictures for shared links of sellers need no network. A rebuild of a small site draws all of them, so that a clean
 *   build gives the same bytes. On a larger site the first picture of a seller is drawn by `npm run photos` or by a
 *   builder after it has published a build that read everything. The home page has a picture too, which shows the
 *   site's name and sample items.
 * - When the bytes of a photo in the public folder change, its picture is deleted before pages are made, so that no page
 *   shows the old picture.
 * - A new or changed picture adds a numbered change for every seller who shows the photo. They are due in the next
 *   rebuild, which stores the position up to which it has seen changes when it ends, and then deletes these changes.
 * - A picture file that no page shows any more is removed at the end of a run over everything.
 * - If the store cannot list its changes since the stored position, for example because it was lost or restored,
 *   everything is due.
 * - A run without missing or outdated pictures, and without photos to revalidate, loads no code that fetches or draws.
 */
import type { PicturePosition } from '../state/site-state.ts'
import type { Catalogue } from '../../domain/catalogue/catalogue.ts'
import type { Json } from '../../domain/documents/json.ts'
import type { PictureFinder } from '../../domain/pages/find-pictures.ts'
import { createAddressFinder } from '../../domain/pages/find-pictures.ts'
import type { Picture } from '../../domain/photos/picture.ts'
import type { PictureChangeStore } from './store/picture-changes.ts'
import type { UnmadePicture } from '../../domain/photos/sort-photos.ts'

export interface PicturePreparation {
  /** Whether pictures of any page changed. */
  readonly hasChanges: boolean
  /** Number of photos in the prepared catalogues that have neither a picture nor a failure yet. */
  readonly waiting: number
  /**
   * Number of pictures for shared links still to be drawn, plus the number of photos with an outdated picture and no
   * failed try to replace it.
   */
  readonly undrawn: number
  readonly troubles: readonly UnmadePicture[]
}

/** Reads the catalogues of these sellers, or by default of all sellers. */
export type ReadCatalogues = (sellers?: Iterable<string>) => Iterable<Catalogue>

export interface WorkLimits {
  /** Max time for photos and for drawing, in milliseconds. Finding what to draw takes further time. */
  readonly time: number
  /**
   * Returns whether the pictures that no seller shows may be deleted. `gone` is their number; `before` is the number of
   * all pictures. `accepts` itself is `null` if the photos of all catalogues are already registered; then nothing is
   * deleted.
   */
  readonly accepts: ((gone: number, before: number) => boolean) | null
}

export interface WorkedOff {
  /** Number of photos processed, plus the number of sellers' pictures for shared links drawn. */
  readonly processed: number
  /**
   * Number of due photos without a picture, plus the number of sellers' pictures for shared links that are missing or
   * outdated.
   */
  readonly waiting: number
  /** `true` if no photo is due, and no seller's picture for shared links is missing or outdated. */
  readonly isDone: boolean
}

export interface Pictures
  extends PictureFinder, Pick<PictureChangeStore, 'readVersion' | 'readChanges' | 'forgetChanges'> {
  /** The part of the configuration that changes page data. */
  readonly settings: Json
  /**
   * Deletes the pictures of photos in the public folder whose bytes have changed, and queues these photos again.
   * `files` has the current SHA-256 of each public file, in hex, by path. Returns the sellers who show a changed photo.
   */
  renewOwn(files: Readonly<Record<string, string>>): readonly string[]
  /**
   * Makes the missing pictures of these catalogues, and renews outdated ones, within a bounded time. With `drawsAll`,
   * all their pictures for shared links are drawn without a time limit. The home page's picture is drawn whenever it is
   * outdated.
   */
  prepare(catalogues: Iterable<Catalogue>, drawsAll: boolean): Promise<PicturePreparation>
  /**
   * Makes the due pictures of all catalogues, and revalidates known photos, within a bounded time. The next rebuild
   * renders the pages that show a changed picture.
   */
  workOff(readCatalogues: ReadCatalogues, limits: WorkLimits): Promise<WorkedOff>
  /** Returns a picture file; `null` if the store does not have it. */
  readFile(path: string): Uint8Array | null
  close(): void
}

const NOTHING_DUE: WorkedOff = { processed: 0, waiting: 0, isDone: true }

export const NOTHING_PREPARED: PicturePreparation = {
  hasChanges: false,
  waiting: 0,
  undrawn: 0,
  troubles: [],
}

const NO_STORE: PicturePosition = { identity: '', sequence: 0 }

/** Creates `Pictures` without a store. `findPicture` returns `null` for a photo that keeps its original address. */
export function createStorelessPictures(
  settings: Json,
  findPicture: (address: string) => Picture | null = () => null,
): Pictures {
  return {
    ...createAddressFinder(findPicture),
    settings,
    renewOwn: () => [],
    readVersion: () => NO_STORE,
    readChanges: (position) => (position?.identity === NO_STORE.identity ? [] : null),
    forgetChanges: () => {},
    prepare: async () => NOTHING_PREPARED,
    workOff: async () => NOTHING_DUE,
    readFile: () => null,
    close: () => {},
  }
}
