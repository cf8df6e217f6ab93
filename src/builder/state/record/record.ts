/** The record: what each file in the output folder was made from, and a digest of them all. */
import type { PageKind } from '../../../domain/pages/page.ts'
import type { Totals } from '../snapshot/snapshot.ts'

/** All that a page depends on besides its data. */
export type Generation = {
  /** Of each kind of page, the hash of the code that renders it. */
  readonly code: Readonly<Record<PageKind, string>>
  /** The site's settings that pages show, as canonical JSON. */
  readonly settings: string
  /** Versions of Node and ICU. */
  readonly runtime: string
}

/** What a compile of these inputs, one hash, gives for each kind of page. */
export interface CompiledCode {
  readonly inputs: string
  readonly kinds: Readonly<Record<PageKind, string>>
}

/** What the data of pages is made with besides documents and pictures; hashes. */
export interface DataBasis {
  /** Code and settings, and the names of public files. */
  readonly data: string
  /** Bytes of public files that are drawn into pictures for shared links. */
  readonly drawings: string
}

/** A page as it was last recorded. */
export interface RecordedPage {
  readonly generation: Generation
  /** Hash of the page's data. */
  readonly data: string
  /** Its file may not be what was recorded: a run was cut off while writing it, or it was found damaged. */
  readonly isUnsure: boolean
}

/** Tells one store from another, and an older one from a newer one. */
export interface PictureStoreVersion {
  readonly identity: string
  /** Counts news. */
  readonly sequence: number
}

/**
 * `retained`: hashed files of earlier generations, kept for visitors and caches that still point to them.
 * `picture`: shown by some page. `unshown`: a picture that no page shows any more, kept for a while alike.
 */
export type FileKind = 'page' | 'static' | 'retained' | 'picture' | 'unshown'

/** The picture files that pages show, by the path of the page. */
export type ShownPictures = ReadonlyMap<string, readonly string[]>

/** A file as it stands in the output folder. `seller` is `null` unless it is a catalogue page. */
export interface FileRow {
  readonly path: string
  readonly kind: FileKind
  readonly seller: string | null
  /** What a page was rendered with; of a retained file, the first generation without it; of an unshown one, the publish. */
  readonly generation: number
  /** Hash of a page's data, else empty. */
  readonly data: string
  /** Hash of the file's bytes. */
  readonly digest: string
}

export interface RecordFiles {
  findPage(path: string): RecordedPage | null
  /** Hash of the file's bytes, `null` when there is no such file or nothing is sure about it. */
  findDigest(path: string): string | null
  hasFile(path: string): boolean
  /** Sellers whose page was rendered with an earlier generation, or whose file is unsure. */
  readStaleSellers(generation: number): readonly string[]
  /** Whether a page of no seller was rendered with an earlier generation, or its file is unsure. */
  hasStaleOther(generation: number): boolean
  readSellers(): readonly string[]
  readFiles(): Iterable<FileRow>
  readOthers(kind: 'static' | 'retained' | 'unshown'): readonly FileRow[]
  countUnsure(): number
  /** The oldest generation that a page in place was rendered with; `null` without pages. */
  readOldestGeneration(): number | null
  /** Before files are touched: what is recorded of them cannot be relied on until they are written. */
  markUnsure(rows: readonly FileRow[], shows?: ShownPictures): void
  /** Recorded files whose bytes are not what they should be; retained ones are forgotten. */
  markUnsurePaths(paths: readonly string[]): void
  /** Pages that a newer generation would render just the same. */
  moveToGeneration(paths: readonly string[], generation: number): void
  /** After the bytes of `rows` are in place and the files `removed` are gone. Pages show just what `shows` says. */
  write(rows: readonly FileRow[], removed: readonly string[], shows?: ShownPictures): void
  /** Pictures that a page shows, of which nothing is sure. */
  readUnsurePictures(): readonly string[]
  /** Pages that show a picture, or did until they were interrupted. */
  readShowing(picture: string): readonly string[]
  /** Unshown pictures that need not be kept any longer. */
  readExpired(): readonly string[]
}

export interface RecordMeta {
  /**
   * Returns the number of this generation: a new one when it differs from the newest. Catalogue pages of earlier ones
   * that would render them just the same then count as of the new one.
   */
  openGeneration(generation: Generation): number
  /** What a compile gave last, `null` before the first. */
  readCompiled(): CompiledCode | null
  writeCompiled(compiled: CompiledCode): void
  /** What the data of all pages was made with, `null` before the end of the first run. */
  readDataBasis(): DataBasis | null
  writeDataBasis(basis: DataBasis): void
  /** Of all files but the retained ones. */
  readDigest(): string
  /** The digests that may stand in the output folder: the last one written, and the one about to be. */
  readMarkers(): readonly string[]
  writeMarkers(markers: readonly string[]): void
  /** The links of the snapshot that this record has followed: the last one, and the one about to be written there. */
  readLinks(): readonly string[]
  writeLinks(links: readonly string[]): void
  /** A run that changes something counts as a publish. */
  countPublish(): void
  /** The picture store that this record has followed, `null` before the first time. */
  readPictures(): PictureStoreVersion | null
  writePictures(version: PictureStoreVersion): void
  /** What the site held at the end of the last run, `null` before the first. */
  readTotals(): Totals | null
  writeTotals(totals: Totals): void
}

export interface SiteRecord extends RecordFiles, RecordMeta {
  close(): void
}
