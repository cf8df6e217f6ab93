/** Creates `Pictures` for the configured mode: no resized photos, photos resized by Cloudflare, or stored pictures. */
import type { LookupFunction } from 'node:net'
import { createMadeFinder, createServiceLookUp } from '../../domain/pages/find-pictures.ts'
import { placePhoto } from '../../domain/photos/photo-hosts.ts'
import type { PictureFacts } from '../../domain/photos/picture-facts.ts'
import type { FetchLimits } from './fetch-photo.ts'
import { makePictures, registerPhotos } from './make-pictures.ts'
import type { Pictures } from './pictures.ts'
import { createStorelessPictures } from './pictures.ts'
import type { Warn } from './picture-store.ts'
import { openPictureStore } from './picture-store.ts'
import type { PhotoTools } from './update-photo.ts'

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

export const FETCH_LIMITS: FetchLimits = { time: 10_000, bytes: 24 * 1024 * 1024 }

export function openPictures(setup: PictureSetup, surroundings: PictureSurroundings): Pictures {
  const { mode, hosts } = setup
  if (mode === 'off') return createStorelessPictures()
  if (mode === 'service') return createStorelessPictures(createServiceLookUp(hosts))
  const store = openPictureStore(setup.store, surroundings.warn)
  const tools: PhotoTools = {
    ...setup,
    ...surroundings,
    store,
    limits: FETCH_LIMITS,
    lookUp,
  }
  return {
    ...store,
    ...createMadeFinder(hosts, store),
    renewOwn: (files) => renewOwnPhotos(files, tools),
    clean: (catalogues) => {
      const sellers = registerPhotos(catalogues, tools)
      store.transact(() => store.sweep(sellers))
    },
    make: (options) => makePictures(options, tools),
  }
}

/** Loads the module of names only when a photo is fetched: a run without new photos starts sooner. */
const lookUp: LookupFunction = (hostname, options, callback) => {
  void import('node:dns').then(({ lookup }) => lookup(hostname, { ...options, all: true }, callback))
}

/** The pictures are forgotten before pages are made, so that no page shows the photo that was replaced. */
function renewOwnPhotos(files: Readonly<Record<string, string>>, { store, hosts }: PhotoTools): void {
  const replaced = store.readOwn().filter(({ address, source }) => {
    const place = placePhoto(address, hosts)
    return place.kind === 'own' && files[place.path] !== undefined && files[place.path] !== source
  })
  if (replaced.length > 0) store.transact(() => replaced.forEach(({ address }) => store.renew(address)))
}
