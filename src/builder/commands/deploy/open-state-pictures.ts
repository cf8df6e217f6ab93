/**
 * Opens the picture store of the state with the settings that a rebuild uses, so that other commands find the same
 * pictures as the rebuild.
 */
import { join } from 'node:path'
import { needsPreviews } from '../../../domain/documents/page-switches.ts'
import type { DataFacts } from '../../../domain/objects/data-facts.ts'
import type { Site } from '../../../domain/pages/site.ts'
import { openPictures } from '../../pictures/open-pictures.ts'
import type { Pictures } from '../../pictures/pictures.ts'
import type { Warn } from '../../pictures/store/picture-store.ts'
import { PublishError } from '../../publish/publish-error.ts'
import { readManifest } from '../../state/manifest.ts'
import { ROOT } from '../../state/project-folder.ts'
import type { Configuration } from '../configuration.ts'
import { readPublicFile } from '../rebuild/open-world.ts'
import { PICTURES } from '../rebuild/state-files.ts'

export interface PictureState {
  readonly site: Site
  readonly facts: DataFacts
  /** The state folder. */
  readonly state: string
}

/** Returns the settings and public files on which the data of objects depends. A rebuild uses the same values. */
export function readDataFacts({
  photos,
  site,
  maxProducts,
}: Pick<Configuration, 'photos' | 'site' | 'maxProducts'>): DataFacts {
  return {
    maxProducts,
    publicFiles: Object.keys(readManifest(join(ROOT, 'public'), '.')),
    pictures: { ...photos, makesPreviews: needsPreviews(site) },
  }
}

/** `warn` is called if the store is damaged; by default, a `PublishError` is thrown. */
export function openStatePictures({ site, facts, state }: PictureState, warn: Warn = refuse): Pictures {
  return openPictures(
    { ...facts.pictures, brand: site.name, store: join(state, PICTURES) },
    { readPublicFile, now: Date.now, warn },
  )
}

function refuse(message: string): never {
  throw new PublishError(message)
}

/** Returns the path of the home page's picture for shared links; `null` if there is none. */
export function readHomePicture(options: PictureState): string | null {
  const pictures = openStatePictures(options)
  try {
    return pictures.findHome()
  } finally {
    pictures.close()
  }
}
