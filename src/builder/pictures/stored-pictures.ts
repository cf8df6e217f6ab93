/** Pictures that the builder makes and keeps in the store. */
import { availableParallelism } from 'node:os'
import { formatPictureFacts } from '../../domain/photos/picture-facts.ts'
import { createMadeFinder } from '../../domain/pages/find-pictures.ts'
import type { FetchLimits } from './photos/fetch-photo.ts'
import { createLookUp } from './photos/host-lookup.ts'
import { createPixelBudget } from './photos/pixel-budget.ts'
import type { Pictures } from './pictures.ts'
import { preparePictures } from './prepare-pictures.ts'
import { renewOwnPhotos } from './renew-own-photos.ts'
import type { PhotoTools } from './photos/process-photo.ts'

/**
 * Max pixels decoded at once; a photo with more is decoded alone. A pixel of another format counts as the number of
 * JPEG pixels that take the same memory. This number of JPEG pixels takes up to 400 MB, about as much as the largest
 * AVIF photo.
 */
const MAX_PIXELS_IN_WORK = 64_000_000

export const FETCH_LIMITS: FetchLimits = { time: 10_000, bytes: 24 * 1024 * 1024 }

interface StoredPicturesOptions extends Omit<PhotoTools, 'limits' | 'lookUp' | 'limitMaking'> {
  /**
   * Max time that a rebuild spends on photos and, unless it draws all of them, on pictures for shared links. In
   * milliseconds.
   */
  readonly patience: number
}

export function createStoredPictures(options: StoredPicturesOptions): Pictures {
  const { store } = options
  const tools = createPhotoTools(options)
  return {
    ...store,
    ...createMadeFinder(options, store),
    settings: formatPictureFacts({ ...options, mode: 'files' }),
    renewOwn: (files) => renewOwnPhotos(files, options),
    prepare: (catalogues, drawsAll) =>
      preparePictures(catalogues, tools, { patience: options.patience, drawsAll }),
    // Imported on use, because most builds do not process the whole queue.
    workOff: async (readCatalogues, limits) => {
      const { workOffQueue } = await import('./work-off-queue.ts')
      return workOffQueue(readCatalogues, tools, limits)
    },
  }
}

export function createPhotoTools(options: Omit<StoredPicturesOptions, 'patience'>): PhotoTools {
  return {
    ...options,
    limits: FETCH_LIMITS,
    lookUp: createLookUp(() => performance.now()),
    limitMaking: createPixelBudget({ pixels: MAX_PIXELS_IN_WORK, width: availableParallelism() }),
  }
}
