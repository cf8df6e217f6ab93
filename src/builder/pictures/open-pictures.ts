/** Creates `Pictures` for the configured mode: no resized photos, photos resized by Cloudflare, or stored pictures. */
import { createMadeFinder, createServiceLookUp } from '../../domain/pages/find-pictures.ts'
import type { PictureFacts } from '../../domain/photos/picture-facts.ts'
import { makePictures, registerPhotos } from './make-pictures.ts'
import { openPictureStore } from './picture-store.ts'
import type { Pictures } from './pictures.ts'
import { createStorelessPictures } from './pictures.ts'
import type { PictureTools } from './update-photo.ts'

/** Plain data, because the setup is passed to worker threads. */
export interface PictureSetup extends PictureFacts {
  /** Path of the picture store's file. */
  readonly store: string
  /** The site's name. */
  readonly brand: string
}

interface PictureSurroundings extends Pick<PictureTools, 'readPublicFile' | 'now'> {
  /** Called if the store was damaged and set aside. May throw. */
  readonly warn: (message: string) => void
}

export function openPictures(setup: PictureSetup, surroundings: PictureSurroundings): Pictures {
  const { mode, hosts } = setup
  if (mode === 'off') return createStorelessPictures()
  if (mode === 'service') return createStorelessPictures(createServiceLookUp(hosts))
  const store = openPictureStore(setup.store, surroundings.warn)
  const tools: PictureTools = { ...setup, ...surroundings, store }
  return {
    ...store,
    ...createMadeFinder(hosts, store),
    register: (shown, isWhole) => registerPhotos(shown, isWhole, tools),
    make: (options) => makePictures(options, tools),
  }
}
