/** Pictures that the builder makes and keeps in the store. */
import { availableParallelism } from 'node:os'
import type { Catalogue } from '../../domain/catalogue/catalogue.ts'
import type { PreviewPicture } from '../../domain/pages/sharing.ts'
import { placePhoto } from '../../domain/photos/photo-hosts.ts'
import type { CataloguePictures } from '../../domain/photos/picture.ts'
import { FETCH_LIMITS } from './photos/fetch-limits.ts'
import { createLookUp } from './photos/host-lookup.ts'
import { createPixelBudget } from './photos/pixel-budget.ts'
import type { Pictures } from './pictures.ts'
import { preparePictures } from './prepare-pictures.ts'
import type { SocialTools } from './social/social-inputs.ts'
import { HOME } from './store/social-store.ts'
import { renewOwnPhotos } from './renew-own-photos.ts'
import { sortPhotos } from '../../domain/photos/sort-photos.ts'
import type { PhotoTools } from './photos/process-photo.ts'

/** A progressive JPEG of 62 million pixels takes 200 MB, so that only one is decoded at a time. */
const MAX_PIXELS_IN_WORK = 64_000_000

export interface StoredPicturesOptions extends SocialTools {
  readonly now: () => number
  /** Time that a rebuild spends on pictures, in milliseconds. */
  readonly patience: number
  /** Whether each photo also gets a preview: the picture in the link preview of its product's page. */
  readonly makesPreviews: boolean
}

export function createStoredPictures(options: StoredPicturesOptions): Pictures {
  const { store, hosts } = options
  const tools = createPhotoTools(options)
  return {
    settings: {
      mode: 'files',
      hosts: [...hosts.names, ...hosts.origins],
      productPages: options.makesPreviews,
    },
    find: (catalogue) => findPictures(catalogue, options),
    findPreview: (photo) => findPreview(photo, options),
    findHome: () => findHome(options),
    renewOwn: (files) => renewOwnPhotos(files, options),
    readChanges: () => store.readChanges(),
    forgetChanges: (version) => store.forgetChanges(version),
    prepare: (catalogues, drawsAll) =>
      preparePictures(catalogues, tools, { patience: options.patience, drawsAll }),
    // Imported on use: few builds fetch or draw.
    workOff: async (readCatalogues, limits) => {
      const { workOffQueue } = await import('./work-off-queue.ts')
      return workOffQueue(readCatalogues, tools, limits)
    },
    readFile: (path) => store.readFile(path),
    close: () => store.close(),
  }
}

export function createPhotoTools(options: Omit<StoredPicturesOptions, 'patience'>): PhotoTools {
  return {
    ...options,
    limits: FETCH_LIMITS,
    lookUp: createLookUp(options.now),
    limitMaking: createPixelBudget({ pixels: MAX_PIXELS_IN_WORK, width: availableParallelism() }),
  }
}

export function findHome({ store }: Pick<StoredPicturesOptions, 'store'>): string | null {
  return store.findSocial(HOME)?.path ?? null
}

/** A photo of a host that is not listed any more has no preview, as it has no picture. */
export function findPreview(
  photo: string,
  { store, hosts, makesPreviews }: Pick<StoredPicturesOptions, 'store' | 'hosts' | 'makesPreviews'>,
): PreviewPicture | null {
  const isShown = makesPreviews && ['remote', 'own'].includes(placePhoto(photo, hosts).kind)
  return isShown ? store.findPreview(photo) : null
}

/** Photos are in the order of the page. */
export function findPictures(
  catalogue: Catalogue,
  { store, hosts }: Pick<StoredPicturesOptions, 'store' | 'hosts'>,
): CataloguePictures {
  const { addresses } = sortPhotos(catalogue, hosts)
  const found = addresses.length === 0 ? null : store.findPictures(addresses)
  const photos = addresses.flatMap((address) => {
    const picture = found?.get(address)
    return picture === undefined ? [] : [[address, picture] as const]
  })
  // An outdated picture is shown until the new one is drawn.
  const social = catalogue.products.length === 0 ? null : store.findSocial(catalogue.seller)
  return { photos: Object.fromEntries(photos), social: social?.path ?? null }
}
