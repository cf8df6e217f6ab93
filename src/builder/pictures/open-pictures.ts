/** Opens the pictures in the configured mode. */
import type { PhotoHosts } from '../../domain/photos/photo-hosts.ts'
import { placePhoto } from '../../domain/photos/photo-hosts.ts'
import type { Pictures } from './pictures.ts'
import { createStorelessPictures } from './pictures.ts'
import type { Warn } from './store/picture-store.ts'
import { openPictureStore } from './store/picture-store.ts'
import { createStoredPictures } from './stored-pictures.ts'
import { formatTransformations } from '../../domain/photos/transformations.ts'
import type { Picture } from '../../domain/photos/picture.ts'

/** Plain data, because it is passed to workers. */
export interface PictureSetup {
  /** `files`: made by the builder. `service`: made by the edge. `off`: pages use the original addresses. */
  readonly mode: 'files' | 'service' | 'off'
  readonly hosts: PhotoHosts
  /** The store's file. */
  readonly store: string
  /** The site's name. */
  readonly brand: string
  /** Whether each photo also gets a preview: the picture in the link preview of its product's page. */
  readonly makesPreviews: boolean
}

export interface PictureSurroundings {
  readonly readPublicFile: (path: string) => Uint8Array | null
  /** Milliseconds since 1970. No page depends on it. */
  readonly now: () => number
  /** Called if the store was damaged and set aside; may throw. */
  readonly warn: Warn
}

/** In milliseconds. Enough for the few new photos of one seller; a price change of another is not delayed much. */
const PATIENCE = 2_000

export function openPictures(
  { mode, hosts, store, brand, makesPreviews }: PictureSetup,
  surroundings: PictureSurroundings,
): Pictures {
  if (mode === 'off') return createStorelessPictures({ mode })
  const names = [...hosts.names, ...hosts.origins]
  if (mode === 'service') {
    return createStorelessPictures({ mode, hosts: names }, (address) => findServicePicture(address, hosts))
  }
  return createStoredPictures({
    ...surroundings,
    store: openPictureStore(store, surroundings.warn),
    hosts,
    brand,
    makesPreviews,
    patience: PATIENCE,
  })
}

/** Returns the picture that the edge makes of a photo; `null` if the edge may not fetch it. */
export function findServicePicture(address: string, hosts: PhotoHosts): Picture | null {
  const { kind } = placePhoto(address, hosts)
  return kind === 'remote' || kind === 'own' ? formatTransformations(address) : null
}
