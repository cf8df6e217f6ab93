/**
 * Pictures for pages: a second data source next to the documents, with its own store, queue and retry times. Rendering
 * never waits for a photo: a photo without a picture is shown under its original address. The same data, code and store
 * give the same bytes.
 *
 * A rebuild makes pictures of the sellers that it renders, until a deadline. `npm run photos`, and a deploy that read
 * everything, also make the others, look at known photos again, and delete pictures that no seller shows. A new picture
 * is logged for each seller who shows the photo; they are due in the next rebuild, which stores the last row of the log
 * that it has seen. If that row is not there, because the store was lost or restored, everything is due.
 */
import type { Catalogue } from '../../domain/catalogue/catalogue.ts'
import type { PictureFinder } from '../../domain/pages/find-pictures.ts'
import { createAddressFinder } from '../../domain/pages/find-pictures.ts'
import type { Picture } from '../../domain/photos/picture.ts'
import type { UnmadePicture } from '../../domain/photos/sort-photos.ts'
import type { PicturePosition } from '../state/site-state.ts'
import type { PictureStore } from './picture-store.ts'

export interface PicturePreparation {
  /** Number of photos of the catalogues that have neither a picture nor a failure yet. */
  readonly waiting: number
  /** Number of pictures for shared links still to be drawn. */
  readonly undrawn: number
  /** Products whose photo has no picture for a reason. */
  readonly troubles: readonly UnmadePicture[]
}

export interface MadeReport extends PicturePreparation {
  readonly changed: number
  readonly unchanged: number
  readonly failed: number
  readonly drawn: number
}

export interface MakeOptions {
  /**
   * `shown`: only photos of the catalogues that have no picture. `due`: all photos that are due; `all`: others, too.
   * Then the catalogues are those of all sellers.
   */
  readonly scope: 'shown' | 'due' | 'all'
  readonly readCatalogues: () => Iterable<Catalogue>
  /** Max time in milliseconds. */
  readonly time: number
  /**
   * True if every outdated picture for shared links is drawn, without a limit of time, so that the number of pictures
   * does not depend on the speed of the machine. Otherwise the first one of a seller is left out.
   */
  readonly drawsAll: boolean
  readonly signal: AbortSignal
  /** Called with the number of photos that are done. */
  readonly progress: (done: number) => void
}

export interface Pictures
  extends
    PictureFinder,
    Pick<PictureStore, 'readVersion' | 'readChanges' | 'forgetChanges' | 'readFile' | 'close'> {
  /**
   * Forgets the pictures of photos in the public folder whose bytes have changed. `files` has the SHA-256 of each
   * public file, by path.
   */
  renewOwn(files: Readonly<Record<string, string>>): void
  /** Deletes all that none of these catalogues shows. They are those of all sellers, and no rebuild may run meanwhile. */
  clean(catalogues: Iterable<Catalogue>): void
  make(options: MakeOptions): Promise<MadeReport>
}

export const NOTHING_PREPARED: PicturePreparation = { waiting: 0, undrawn: 0, troubles: [] }
export const NOTHING_MADE: MadeReport = { ...NOTHING_PREPARED, changed: 0, unchanged: 0, failed: 0, drawn: 0 }

const NO_STORE: PicturePosition = { identity: '', sequence: 0 }

/** Creates `Pictures` without a store. `findPicture` returns `null` for a photo that keeps its original address. */
export function createStorelessPictures(
  findPicture: (address: string) => Picture | null = () => null,
): Pictures {
  return {
    ...createAddressFinder(findPicture),
    renewOwn: () => {},
    clean: () => {},
    readVersion: () => NO_STORE,
    readChanges: (position) => (position?.identity === NO_STORE.identity ? [] : null),
    forgetChanges: () => {},
    make: async () => NOTHING_MADE,
    readFile: () => null,
    close: () => {},
  }
}
