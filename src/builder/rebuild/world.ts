/** What a rebuild needs from outside: options, inputs, state, the output folder, pictures, renderers and the source. */
import type { Site } from '../../domain/pages/site.ts'
import type { SiteMarker } from '../../domain/wire/site-marker.ts'
import type { Pictures } from '../pictures/pictures.ts'
import type { KeptRenderer } from '../renderer/renderer-store.ts'
import type { Renderer } from '../renderer/load-renderer.ts'
import type { Source } from '../sources/source.ts'
import type { Manifest } from '../files/file-hashes.ts'
import type { Output } from '../state/output.ts'
import type { SiteState } from '../state/site-state.ts'
import type { Basis } from './basis.ts'
import type { SiteWriter } from './site-writer.ts'

export interface RebuildOptions {
  /** Sellers who are due, whether they differ or not. */
  readonly sellers: readonly string[]
  /**
   * True if `sellers` are all who changed since the last run, so that a source without a log is asked for these only. A
   * coordinator has named them.
   */
  readonly isClaimed: boolean
  /** True if everything is read, and due. */
  readonly isFull: boolean
  readonly isShrinkAllowed: boolean
  /** True if the run changes nothing, and only finds which files would differ. */
  readonly isExplained: boolean
  /** What is live; `null` if the run is not published. */
  readonly publishing: PublishingFacts | null
}

/** What is known of the public place before a run that is published. */
export interface PublishingFacts {
  /** Position of the claim, which is stored with the read; `null` without a coordinator. */
  readonly claimed: number | null
  /** Marker of the live site; `null` if there is none. */
  readonly live: SiteMarker | null
  /** True if all files go live at once, so that a publish that failed has left the live site as it was. */
  readonly isAtomic: boolean
}

/** The inputs of pages besides documents and pictures. */
export interface PageInputs {
  readonly basis: Basis
  /** Hash of the inputs of a compile. */
  readonly code: string
  readonly site: Site
  /** Max products shown per seller. */
  readonly maxProducts: number
  /** True if a service worker caches visited pages for offline use. */
  readonly keepsPages: boolean
  /** True if search engines may read the site; false for a second site such as staging. */
  readonly isSearched: boolean
  /** Hashes of the files in the public folder, by path. */
  readonly publicFiles: Manifest
  readPublicFile(path: string): Uint8Array
}

export interface Renderers {
  /** Returns the stored renderer that was compiled from inputs with this hash; `null` if it is missing or damaged. */
  find(code: string): KeptRenderer | null
  /** Rejects with a `CompileError` if the code does not compile, or changes meanwhile. */
  compile(code: string): Promise<KeptRenderer>
  load(kept: KeptRenderer): Promise<Renderer>
  /** Returns the paths of the hashed files of all stored renderers. */
  listKeptAssets(): ReadonlySet<string>
}

/** What the pages of a run are made with. */
interface WriterFacts {
  readonly inputs: PageInputs
  readonly kept: KeptRenderer
  /** True if everything is due, so that no file is trusted. */
  readonly isWhole: boolean
}

export interface World {
  readonly options: RebuildOptions
  readonly state: SiteState
  readonly output: Output
  readonly pictures: Pictures
  readonly renderers: Renderers
  /** Reads the inputs as they are now. */
  readInputs(): PageInputs
  openSource(): Promise<Source>
  /** Starts threads that write many sellers; `null` if this process writes all of them itself. */
  readonly startWriters: ((facts: WriterFacts) => SiteWriter) | null
  /** Returns milliseconds since 1970: when a failed seller is due again depends on it. */
  clock(): number
  /** Shows the user the current step. */
  progress(text: string): void
}
