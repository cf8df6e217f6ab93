/** Creates `Pictures` for the configured mode: no resized photos, photos resized by Cloudflare, or stored pictures. */
import type { PictureFacts } from '../../domain/photos/picture-facts.ts'
import { formatPictureFacts } from '../../domain/photos/picture-facts.ts'
import { createServiceLookUp } from '../../domain/pages/find-pictures.ts'
import type { Pictures } from './pictures.ts'
import { createStorelessPictures } from './pictures.ts'
import type { Warn } from './store/picture-store.ts'
import { openPictureStore } from './store/picture-store.ts'
import { createStoredPictures } from './stored-pictures.ts'

/** Plain data, because the setup is passed to worker threads. */
export interface PictureSetup extends PictureFacts {
  /** Path of the picture store's file. */
  readonly store: string
  /** The site's name. */
  readonly brand: string
}

interface PictureSurroundings {
  readonly readPublicFile: (path: string) => Uint8Array | null
  /** Returns milliseconds since 1970, to decide which photos are due. The time is no input of the pages. */
  readonly now: () => number
  /** Called if the store was damaged and set aside. May throw. */
  readonly warn: Warn
}

/**
 * Max time that a rebuild spends on photos, in milliseconds: enough for a few new photos, without a long delay. Drawing
 * pictures for shared links may take longer.
 */
const PATIENCE = 2_000

export function openPictures(setup: PictureSetup, surroundings: PictureSurroundings): Pictures {
  const { mode, hosts, store, brand, makesPreviews } = setup
  const settings = formatPictureFacts(setup)
  if (mode === 'off') return createStorelessPictures(settings)
  if (mode === 'service') return createStorelessPictures(settings, createServiceLookUp(hosts))
  return createStoredPictures({
    ...surroundings,
    store: openPictureStore(store, surroundings.warn),
    hosts,
    brand,
    makesPreviews,
    patience: PATIENCE,
  })
}
