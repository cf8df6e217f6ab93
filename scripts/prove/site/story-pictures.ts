/** Opens the pictures of a story's site, made from photos in the public folder that the story has at the time. */
import { needsPreviews } from '../../../src/domain/documents/page-switches.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BuildOptions } from '../../../src/builder/commands/options.ts'
import type { PictureSetup } from '../../../src/builder/pictures/open-pictures.ts'
import { openPictures } from '../../../src/builder/pictures/open-pictures.ts'
import type { Pictures } from '../../../src/builder/pictures/pictures.ts'
import { openPictureStore } from '../../../src/builder/pictures/store/picture-store.ts'
import { createStoredPictures } from '../../../src/builder/pictures/stored-pictures.ts'
import { findState } from './place.ts'
import type { PublicFolder, RunRequest } from './run-request.ts'

/** In milliseconds; long, since no result may depend on how busy the machine is. */
const PATIENCE = 60_000

export function createPictureSetup(
  { place }: RunRequest,
  { configuration: { photos, site } }: BuildOptions,
): PictureSetup {
  const store = findState(place, 'pictures')
  return { ...photos, store, brand: site.name, makesPreviews: needsPreviews(site) }
}

export function openStoryPictures(setup: PictureSetup, { folder, files }: PublicFolder): Pictures {
  const readPublicFile = (path: string): Uint8Array | null =>
    path in files ? readFileSync(join(folder, path)) : null
  const surroundings = { readPublicFile, now: Date.now, warn: console.error }
  if (setup.mode !== 'files') return openPictures(setup, surroundings)
  const store = openPictureStore(setup.store, surroundings.warn)
  return createStoredPictures({ ...setup, ...surroundings, store, patience: PATIENCE })
}
