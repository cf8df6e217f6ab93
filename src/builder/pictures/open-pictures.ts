/** Opens the pictures as the configuration wants them. */
import type { PhotoHosts } from '../../domain/photos/photo-hosts.ts'
import { placePhoto } from '../../domain/photos/photo-hosts.ts'
import type { Pictures } from './pictures.ts'
import { createStorelessPictures } from './pictures.ts'
import { openPictureStore } from './store/picture-store.ts'
import { createStoredPictures } from './stored-pictures.ts'
import { formatTransformations } from '../../domain/photos/transformations.ts'
import type { Picture } from '../../domain/photos/picture.ts'

/** Plain data: workers get it too. */
export interface PictureSetup {
  /** `files`: made here. `service`: made by the edge. `off`: photos are shown under their original address. */
  readonly mode: 'files' | 'service' | 'off'
  readonly hosts: PhotoHosts
  /** The store's file. */
  readonly store: string
  /** The site's name. */
  readonly brand: string
}

export interface PictureSurroundings {
  readonly readPublicFile: (path: string) => Uint8Array | null
  /** Milliseconds since 1970. No page depends on it. */
  readonly now: () => number
}

/** Long enough for the few new photos of a seller, short enough for the price change of another. */
const PATIENCE = 2_000

export function openPictures(
  { mode, hosts, store, brand }: PictureSetup,
  surroundings: PictureSurroundings,
): Pictures {
  if (mode === 'off') return createStorelessPictures({ mode })
  const names = [...hosts.names, ...hosts.origins]
  if (mode === 'service') {
    return createStorelessPictures({ mode, hosts: names }, (address) => findServicePicture(address, hosts))
  }
  return createStoredPictures({
    ...surroundings,
    store: openPictureStore(store),
    hosts,
    brand,
    patience: PATIENCE,
  })
}

/** The picture that the edge makes of a photo; `null` for one that it may not fetch. */
export function findServicePicture(address: string, hosts: PhotoHosts): Picture | null {
  const { kind } = placePhoto(address, hosts)
  return kind === 'remote' || kind === 'own' ? formatTransformations(address) : null
}
