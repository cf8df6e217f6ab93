/** What a run in this process is asked to do. */

import type { Manifest } from '../../src/builder/state/manifest.ts'
import type { PhotoMode } from './proof-photos.ts'
import type { Place } from './place.ts'
import type { Variant } from './variants.ts'

/** The code and the settings of a site. */
export interface StorySetup {
  readonly variant: Variant
  readonly siteName: string
  readonly runtime: string
  readonly publicFolder: PublicFolder
  readonly photos: PhotoMode
}

export interface PublicFolder {
  readonly name: string
  readonly folder: string
  readonly files: Manifest
}

export interface RunRequest {
  readonly place: Place
  readonly make: StorySetup
  /** Options of the command. */
  readonly args: readonly string[]
  /** Of the render pool; 0: pages are rendered one after the other. */
  readonly threads: number
}
