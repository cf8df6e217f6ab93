/** Opens the picture store of the state with the settings that a rebuild uses, so that both find the same pictures. */
import { join } from 'node:path'
import type { DataFacts } from '../../../domain/objects/data-facts.ts'
import type { Site } from '../../../domain/pages/site.ts'
import { openPictures } from '../../pictures/open-pictures.ts'
import type { Pictures } from '../../pictures/pictures.ts'
import { PublishError } from '../../publish/publish-error.ts'
import { readPublicFile } from '../rebuild/open-world.ts'
import { PICTURES } from '../rebuild/state-files.ts'

export interface PictureState {
  readonly site: Site
  readonly facts: DataFacts
  /** The state folder. */
  readonly state: string
}

/** Throws a `PublishError` if the store is damaged. */
export function openStatePictures({ site, facts, state }: PictureState): Pictures {
  const warn = (message: string): never => {
    throw new PublishError(message)
  }
  return openPictures(
    { ...facts.pictures, brand: site.name, store: join(state, PICTURES) },
    { readPublicFile, now: Date.now, warn },
  )
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
