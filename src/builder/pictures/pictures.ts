/**
 * Pictures for pages: a second data source next to the documents, with its own store, queue and retry times. A photo
 * without a picture is shown under its original address. The same data, code and store give the same bytes.
 *
 * A rebuild makes pictures of the sellers that it renders, within a time. Other runs make the others, and look at known
 * photos again. A new picture is logged for each seller who shows the photo; they are due in the next rebuild, at whose
 * end the store notes its run. If that is not the run of the site, because one of them was lost or restored, everything
 * is due: the store knows what the sellers of its own site show.
 */
import type { Catalogue } from '../../domain/catalogue/catalogue.ts'
import type { PictureFinder } from '../../domain/pages/find-pictures.ts'
import { createAddressFinder } from '../../domain/pages/find-pictures.ts'
import type { Picture } from '../../domain/photos/picture.ts'
import type { UnmadePicture } from '../../domain/photos/sort-photos.ts'
import type { PictureStore } from './picture-store.ts'

/** Sellers, and what they show. */
export interface ShownCatalogues {
  readonly sellers: readonly string[]
  /** Returns `null` if there is no catalogue of this seller. */
  readonly readCatalogue: (seller: string) => Catalogue | null
  /** Hashes of the files in the public folder, by path. */
  readonly publicFiles: Readonly<Record<string, string>>
}

export interface MakeOptions extends ShownCatalogues {
  /** Which photos are fetched: those that have no picture and are due, all that are due, or all. */
  readonly scope: 'lacking' | 'due' | 'all'
  /** True if pictures for shared links are drawn without a limit. Else a rebuild leaves the first one of a seller. */
  readonly drawsAll: boolean
  /** Time in which pictures are begun, in milliseconds. A photo has as long to arrive, at most 10 s. */
  readonly time: number
  readonly signal: AbortSignal
  /** Called with the number of photos that are done. */
  readonly progress: (done: number) => void
}

export interface MadeReport {
  /** Number of new pictures, those for shared links included. */
  readonly changed: number
  /** Number of pictures for which there was no time. */
  readonly left: number
  /** Products whose photo has no picture for a reason. */
  readonly troubles: readonly UnmadePicture[]
}

export interface Pictures
  extends
    PictureFinder,
    Pick<PictureStore, 'isOf' | 'readLast' | 'readChanges' | 'settle' | 'readFile' | 'close'> {
  /**
   * Stores which photos these sellers show. If they are all sellers (`isWhole`), deletes what nobody shows. Files of
   * the public folder that have changed lose their pictures, so that no page shows the photo that was replaced.
   */
  register(shown: ShownCatalogues, isWhole: boolean): void
  make(options: MakeOptions): Promise<MadeReport>
}

export const NOTHING_MADE: MadeReport = { changed: 0, left: 0, troubles: [] }

/** Creates `Pictures` without a store. `findPicture` returns `null` for a photo that keeps its original address. */
export function createStorelessPictures(
  findPicture: (address: string) => Picture | null = () => null,
): Pictures {
  return {
    ...createAddressFinder(findPicture),
    register: () => {},
    isOf: () => true,
    readLast: () => 0,
    readChanges: () => [],
    settle: () => {},
    make: async () => NOTHING_MADE,
    readFile: () => null,
    close: () => {},
  }
}
