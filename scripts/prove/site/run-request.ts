/** The input of a rebuild that runs in this process. */

import type { Renderer } from '../../../src/builder/renderer/load-renderer.ts'
import type { Manifest } from '../../../src/builder/state/manifest.ts'
import type { SitePlace } from './place.ts'
import type { StorySettings } from './played-settings.ts'
import type { StoryCode } from './story-code.ts'
import type { CodeVariant } from './variants.ts'

/** The code, settings, runtime and public folder that a site is made from. */
export interface StoryInputs {
  readonly variant: CodeVariant
  readonly settings: StorySettings & { readonly MAX_PRODUCTS?: string }
  readonly code: StoryCode
  readonly runtime: string
  readonly publicFolder: PublicFolder
}

export interface PublicFolder {
  readonly name: string
  readonly folder: string
  readonly files: Manifest
}

export interface RunRequest {
  readonly place: SitePlace
  readonly inputs: StoryInputs
  /** Command-line options of the rebuild. */
  readonly args: readonly string[]
  /** Number of threads of the render pool. With 0, pages are rendered one after the other in this thread. */
  readonly threads: number
  /** Returns the renderer that this thread uses instead of the given one. */
  readonly wrap?: (renderer: Renderer) => Renderer
}
