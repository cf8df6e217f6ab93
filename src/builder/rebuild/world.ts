/** Everything that a rebuild needs from outside, in one place. */
import type { Site as SiteSettings } from '../../domain/pages/site.ts'
import type { Pictures } from '../pictures/pictures.ts'
import type { Snapshot } from '../state/snapshot/snapshot.ts'
import type { Source } from '../sources/source.ts'
import type { KeptRenderer } from '../renderer/compile.ts'
import type { Manifest } from '../state/manifest.ts'
import type { Output } from '../state/output/output.ts'
import type { SiteRecord } from '../state/record/record.ts'
import type { RenderPool } from './render-pool.ts'
import type { PageRenderer } from './render-page.ts'
import type { Renderer } from '../renderer/load-renderer.ts'

export interface RebuildOptions {
  /** Read only these; empty: what changed, or everything. */
  readonly sellers: readonly string[]
  /** Read everything and render every page again. */
  readonly isFull: boolean
  /** Hold every file against the record. */
  readonly isVerify: boolean
  readonly isShrinkAllowed: boolean
}

export interface World {
  readonly options: RebuildOptions
  readonly settings: SiteSettings
  /** Whether browsers keep the last pages that they saw, for when they are offline. */
  readonly keepsPages: boolean
  /** Hash of what goes into a compile, and the versions of what pages run on. */
  readonly code: string
  readonly runtime: string
  /** Hash of the code that turns documents into the snapshot's entries. */
  readonly door: string
  readonly snapshot: Snapshot
  readonly record: SiteRecord
  readonly output: Output
  readonly pictures: Pictures
  openSource(): Promise<Source>
  /** The renderer of this code, if it is compiled already. */
  findRenderer(): KeptRenderer | null
  compile(): Promise<KeptRenderer>
  loadRenderer(kept: KeptRenderer): Promise<Renderer>
  /** Renders pages in worker threads, for a run that has many. */
  openPool(kept: KeptRenderer, generation: number, direct: PageRenderer): Promise<RenderPool>
  /** Files of the public folder with their hashes, and how to read one. */
  readonly publicFiles: Manifest
  readPublicFile(path: string): Uint8Array
  /** A clock, in milliseconds. Nothing but the report of times depends on it. */
  now(): number
  /** Told what is being done, for people who wait. */
  progress(text: string): void
}
