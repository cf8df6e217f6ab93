/** The input of a run in this process. */

import type { Renderer } from '../../../src/builder/renderer/load-renderer.ts'
import type { Manifest } from '../../../src/builder/state/manifest.ts'
import type { SitePlace } from './place.ts'
import type { StorySettings } from './played-settings.ts'
import type { StoryCode } from './story-code.ts'
import type { CodeVariant } from './variants.ts'

/** The code and the settings that a site is made from. */
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
  /** Options of the command. */
  readonly args: readonly string[]
  /** Threads of the render pool; with 0, pages are rendered one after the other in this thread. */
  readonly threads: number
  /** Replaces the renderer of this thread. */
  readonly wrap?: (renderer: Renderer) => Renderer
}
