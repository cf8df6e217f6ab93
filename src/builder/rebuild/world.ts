/** What a rebuild needs from outside: options, inputs, state, renderers and the source. */
import type { Site as SiteSettings } from '../../domain/pages/site.ts'
import type { Pictures } from '../pictures/pictures.ts'
import type { KeptRenderer } from '../renderer/compile.ts'
import type { Renderer } from '../renderer/load-renderer.ts'
import type { Source } from '../sources/source.ts'
import type { Manifest } from '../state/manifest.ts'
import type { Output } from '../state/output/output.ts'
import type { SiteRecord } from '../state/record/record.ts'
import type { Snapshot } from '../state/snapshot/snapshot.ts'
import type { PageRenderer } from './render-page.ts'
import type { RenderPool } from './render-pool.ts'

export interface RebuildOptions {
  /** Read only these; empty: what changed, or everything. */
  readonly sellers: readonly string[]
  /** Read everything and render every page again. */
  readonly isFull: boolean
  /** Check every file against the record. */
  readonly isVerify: boolean
  readonly isShrinkAllowed: boolean
}

/** SHA-256 in hex of code of this project that shapes pages but is not compiled into the renderer. */
export interface CodeHashes {
  /** What turns documents into the snapshot's entries. */
  readonly intake: string
  /** What turns entries and pictures into the data of pages. */
  readonly pageData: string
  /** What asks the compiled renderer for a page. */
  readonly rendering: string
}

/** What pages are made from besides documents and pictures. */
export interface PageInputs {
  readonly settings: SiteSettings
  /** Whether browsers keep the last pages that they saw, for when they are offline. */
  readonly keepsPages: boolean
  /** Hash of all that a compile reads. */
  readonly compiled: string
  readonly code: CodeHashes
  /** Versions of what pages are rendered on. */
  readonly runtime: string
  /** Files of the public folder. */
  readonly publicFiles: Manifest
  readPublicFile(path: string): Uint8Array
}

export interface RebuildState {
  readonly snapshot: Snapshot
  readonly record: SiteRecord
  readonly output: Output
  readonly pictures: Pictures
}

export interface Renderers {
  /** The renderer compiled from `PageInputs.compiled`; `null` when there is none yet. */
  find(): KeptRenderer | null
  compile(): Promise<KeptRenderer>
  load(kept: KeptRenderer): Promise<Renderer>
  /** Renders pages in worker threads. `generation` is its number in the record; `direct` renders in this process. */
  openPool(kept: KeptRenderer, generation: number, direct: PageRenderer): Promise<RenderPool>
}

export interface World {
  readonly options: RebuildOptions
  readonly inputs: PageInputs
  readonly state: RebuildState
  readonly renderers: Renderers
  openSource(): Promise<Source>
  /** Milliseconds. Nothing but the report of times depends on it. */
  now(): number
  /** Shows people what is being done. */
  progress(text: string): void
}
