/** Everything that a rebuild needs from outside, such as options, inputs, state, renderers and the source. */
import type { Site as SiteSettings } from '../../domain/pages/site.ts'
import type { Pictures } from '../pictures/pictures.ts'
import type { StartFar } from './read/far-half.ts'
import type { FileReader } from './check/file-reader.ts'
import type { KeptRenderer } from '../renderer/compile.ts'
import type { Renderer } from '../renderer/load-renderer.ts'
import type { Source } from '../sources/source.ts'
import type { Manifest } from '../state/manifest.ts'
import type { Output } from '../state/output/output.ts'
import type { SiteRecord } from '../state/record/record.ts'
import type { Snapshot } from '../state/snapshot/snapshot.ts'
import type { RenderPool } from './render/render-pool.ts'

export interface RebuildOptions {
  /**
   * If not empty, the run reads these sellers instead of the changed documents. Ignored if everything must be read, as
   * in a first run.
   */
  readonly sellers: readonly string[]
  /** True if everything is read and every page is rendered again. */
  readonly isFull: boolean
  /** True if every file is compared with the record and, except in a dry run, every reference is checked. */
  readonly isVerify: boolean
  readonly isShrinkAllowed: boolean
}

/** SHA-256 in hex of code of this project that shapes pages but is not compiled into the renderer. */
export interface CodeHashes {
  /** Hash of the code that turns documents into entries of the snapshot. */
  readonly intake: string
  /** Hash of the code that turns entries and pictures into page data. */
  readonly pageData: string
  /** Hash of the code that calls the compiled renderer. */
  readonly rendering: string
}

/** The inputs of pages besides documents and pictures. */
export interface PageInputs {
  readonly settings: SiteSettings
  /** Max products shown per seller. */
  readonly maxProducts: number
  /** True if a service worker caches visited pages for offline use. */
  readonly keepsPages: boolean
  /** True if search engines may read the site; false for a second site such as staging. */
  readonly isSearched: boolean
  /** Hash of the inputs of a compile. */
  readonly compiled: string
  readonly code: CodeHashes
  /** Versions of Node and ICU, and a hash of ICU's order of names. */
  readonly runtime: string
  /** Hashes of the files in the public folder, by path. */
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
  /**
   * Returns the stored renderer that was compiled from the present inputs (`PageInputs.compiled`); `null` if it is
   * missing or incomplete.
   */
  find(): KeptRenderer | null
  compile(): Promise<KeptRenderer>
  /** Compiles the renderer again before loading it if a file of it is damaged. */
  load(kept: KeptRenderer): Promise<Renderer>
  /**
   * Starts the workers for the next `openPool` early, if the renderer is compiled, so that they load their code in
   * advance. Resolves when the workers are started; never rejects.
   */
  startWorkers(): Promise<void>
  /**
   * Opens a pool that renders pages in worker threads. Compiles the renderer again first if a file of it is damaged.
   * `generation` is the generation's number in the record.
   */
  openPool(kept: KeptRenderer, generation: number): Promise<RenderPool>
}

export interface World {
  readonly options: RebuildOptions
  readonly inputs: PageInputs
  readonly state: RebuildState
  readonly renderers: Renderers
  /** Identifies the current boot of the operating system. */
  readonly boot: string
  openSource(): Promise<Source>
  /** Starts reading the second half of the source in another thread; `null` if this process has only one core. */
  readonly startFar: StartFar | null
  /** Reads the output folder for checks. */
  readonly files: FileReader
  /** Returns milliseconds. Only the reported timings depend on it. */
  now(): number
  /** Returns milliseconds since 1970: how long removals are held back depends on it. */
  clock(): number
  /** Shows the user the current step. */
  progress(text: string): void
  /** Called after a read whose change was accepted only because of `isShrinkAllowed`. */
  noteShrink?(): void
}
