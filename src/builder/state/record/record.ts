/** The record: the inputs of each file in the output folder, and a digest of all files. */
import type { PageKind } from '../../../domain/documents/page-table.ts'
import type { Totals } from '../snapshot/snapshot.ts'

/** Everything that a page depends on besides its data. */
export type Generation = {
  /** For each kind of page, the hash of the code that renders it. */
  readonly code: Readonly<Record<PageKind, string>>
  /** The settings that pages show, as canonical JSON. */
  readonly settings: string
  /** Versions of Node and ICU, and a hash of ICU's order of names. */
  readonly runtime: string
}

/** The result of a compile: the hash of its inputs, and the code hash of each kind of page. */
export interface CompiledCode {
  readonly inputs: string
  readonly kinds: Readonly<Record<PageKind, string>>
}

/** Hashes of the inputs of page data besides documents and pictures. */
export interface DataBasis {
  /** Hash of the code that makes page data, the settings that affect it, and the names of public files. */
  readonly data: string
  /** Hash of the public SVG files, which are drawn into social pictures, and of the version of the drawing code. */
  readonly drawings: string
  /**
   * Two inputs of `data`, recorded separately to show which one changed; absent in records that an earlier version of
   * this program wrote.
   */
  readonly parts?: DataParts
}

interface DataParts {
  /** Hash of the code that makes page data. */
  readonly code: string
  /** The settings of pictures, as canonical JSON. */
  readonly pictures: string
}

/** Hashes of the inline code of a generation's pages, in the format of a content security policy. */
export interface InlineCode {
  readonly generation: number
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
}

export interface RecordedPage {
  readonly generation: Generation
  /** Hash of the page's data. */
  readonly data: string
  /** Hash of the file's bytes; `null` if `isUnsure`. */
  readonly digest: string | null
  /**
   * True if the file may differ from the record, because a run was interrupted while writing it, or because it was
   * found damaged.
   */
  readonly isUnsure: boolean
}

/**
 * `static`: a file that does not depend on documents, such as a compiled or public file. `retained`: a hashed file of
 * an earlier generation, kept for visitors and caches that still refer to it. `picture`: shown by at least one page.
 * `unshown`: a picture that no page shows any more, kept for some publishes.
 */
export type FileKind = 'page' | 'static' | 'retained' | 'picture' | 'unshown'

/** The picture files that pages show, by the path of the page. */
export type ShownPictures = ReadonlyMap<string, readonly string[]>

/**
 * A file in the output folder. `seller` is the id of the seller whose page the file is; `null` for every other file.
 */
export interface FileRow {
  readonly path: string
  readonly kind: FileKind
  readonly seller: string | null
  /**
   * For a page, the newest generation that is known to render its bytes; for a static file, the generation of the run
   * that wrote it; for a retained file, the first generation without it; for a picture, 0; for an unshown picture, the
   * number of publishes when the last page dropped it.
   */
  readonly generation: number
  /** Hash of a page's data; for a retained file, the number of publishes when it was dropped; else empty. */
  readonly data: string
  /** Hash of the file's bytes; empty while a new file is unsure. */
  readonly digest: string
}

export interface RecordFiles {
  findPage(path: string): RecordedPage | null
  /** Returns the hash of the file's bytes; `null` if the file has no row, or if it is unsure, retained or unshown. */
  findDigest(path: string): string | null
  hasFile(path: string): boolean
  findFile(path: string): FileRow | null
  /** Returns the sellers with a page that was rendered with an earlier generation, or whose file is unsure. */
  readStaleSellers(generation: number): readonly string[]
  /** Returns the paths of the pages without a seller that an earlier generation rendered, or that are unsure. */
  readStaleOthers(generation: number): readonly string[]
  readSellers(): readonly string[]
  /** Returns the paths of a seller's pages, ascending. */
  readPages(seller: string): readonly string[]
  readFiles(): Iterable<FileRow>
  readOthers(kind: 'static' | 'retained' | 'unshown'): readonly FileRow[]
  countUnsure(): number
  /** Returns the oldest generation among the pages in the output folder; `null` if the folder has no pages. */
  readOldestGeneration(): number | null
  /** Returns the generations before this one that pages in the output folder may come from, the newest first. */
  readEarlierGenerations(generation: number): readonly number[]
  /** Marks these rows as unsure, and adds missing ones, before their files are changed; `write` confirms them. */
  markUnsure(rows: readonly FileRow[], shows?: ShownPictures): void
  /** Marks the recorded files at these paths unsure. Deletes the rows of retained and unshown files instead. */
  markUnsurePaths(paths: readonly string[]): void
  /** Assigns pages to a newer generation that would render the same bytes. */
  moveToGeneration(paths: readonly string[], generation: number): void
  /**
   * Records `rows`, whose bytes are in place, and deletes the rows of `removed`, whose files are deleted. `shows` has
   * all pictures of the pages in `rows`.
   */
  write(rows: readonly FileRow[], removed: readonly string[], shows?: ShownPictures): void
  /** Returns the pictures that pages show and whose files are unsure. */
  readUnsurePictures(): readonly string[]
  /** Returns the pictures that a page shows, or showed before an interrupted write. */
  readShown(page: string): readonly string[]
  /** Returns the pages that show a picture, or showed it before an interrupted write. */
  readShowing(picture: string): readonly string[]
  /**
   * Returns the unshown pictures whose retention has ended or whose files are unsure, and all of them if there are more
   * than `most` files; except those that a page may show again after an interrupted write.
   */
  readExpired(most: number): readonly string[]
}

export interface RecordMeta {
  /**
   * Returns the number of this generation. If it differs from the newest one, adds it, and moves to it the sellers'
   * pages of all earlier generations that have the same settings, the same runtime and the same code for sellers'
   * pages.
   */
  openGeneration(generation: Generation): number
  /** Returns the result of the most recent compile, `null` before the first. */
  readCompiled(): CompiledCode | null
  writeCompiled(compiled: CompiledCode): void
  /**
   * Returns the inline code of the generations that have pages. Generations that an earlier version of this program
   * recorded may be missing.
   */
  readInlineCode(): readonly InlineCode[]
  writeInlineCode(code: readonly InlineCode[]): void
  /** Returns the hashes of the inputs of all page data, `null` before the end of the first run. */
  readDataBasis(): DataBasis | null
  writeDataBasis(basis: DataBasis): void
  /** Returns the digest of all files except retained and unshown ones. */
  readDigest(): string
  /**
   * Returns the markers that the output folder may hold: the last one that was written completely, and later ones whose
   * write may have been interrupted.
   */
  readMarkers(): readonly string[]
  writeMarkers(markers: readonly string[]): void
  /**
   * Returns the links by which this record recognizes its snapshot: the last one that was written completely, and later
   * ones whose write may have been interrupted. Returns none after an interrupted run that checked everything.
   */
  readLinks(): readonly string[]
  writeLinks(links: readonly string[]): void
  /**
   * Increments the number of publishes, by which retained files expire. `published` is the id of the last published
   * version: further runs after the same publish do not count. `null` if the site was never published; each run counts.
   */
  countPublish(published: string | null): void
  /** Returns the number of publishes: see `countPublish`. */
  readPublishes(): number
  /** Returns the totals of the site at the end of the last run, `null` before the first. */
  readTotals(): Totals | null
  writeTotals(totals: Totals): void
}

/**
 * `writing`: a run is changing files, or was interrupted. `listed`: every file is known to be on the disk, except those
 * of `readUnsynced`. `unknown`: no file is known to be on the disk, for example because an earlier run was interrupted
 * in the same boot.
 */
export interface Durability {
  /** Id of the boot in which files were last written: see boot-id.ts. */
  readonly boot: string
  readonly state: 'writing' | 'listed' | 'unknown'
}

export interface RecordDurability {
  /** Returns `null` before the first run that changes a file. */
  readDurability(): Durability | null
  /** Returns the paths that were written or removed without being forced to the disk. */
  readUnsynced(): readonly string[]
  /**
   * Forces this write and all earlier ones to the disk. Also removes the paths in `forget` from the list of
   * `readUnsynced`, and adds those in `add`.
   */
  writeDurability(durability: Durability, changes?: UnsyncedChanges): void
}

interface UnsyncedChanges {
  readonly forget?: readonly string[] | 'all'
  readonly add?: readonly string[]
}

export interface SiteRecord extends RecordFiles, RecordMeta, RecordDurability {
  /** Runs `work`, which only reads, in one transaction. */
  readTogether<T>(work: () => T): T
  close(): void
}
