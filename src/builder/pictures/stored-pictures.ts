/** What the picture store holds, and how it is asked. */
import type { MadePictures } from '../../domain/pages/find-pictures.ts'
import type { PreviewPicture } from '../../domain/pages/sharing.ts'
import type { Picture } from '../../domain/photos/picture.ts'
import type { PicturePosition } from '../state/site-state.ts'

export interface StoredFile {
  readonly path: string
  readonly bytes: Uint8Array
}

export interface MadePicture {
  readonly picture: Picture
  /** `null` if the photo is unfit for a link preview. */
  readonly preview: PreviewPicture | null
  readonly files: readonly StoredFile[]
  /** The common beginning of the paths of the files. */
  readonly stem: string
}

/** HTTP validators of a response, for conditional requests. */
export interface Validators {
  readonly etag: string | null
  readonly modified: string | null
}

export interface KnownPhoto {
  readonly address: string
  /** Number of consecutive failures. */
  readonly tries: number
  readonly validators: Validators
  /** Hash of the bytes that were tried last; empty if there were none. */
  readonly source: string
  /** True if there is a picture of the present recipe. */
  readonly isCurrent: boolean
}

/** The last bytes of a photo that were tried, and when the photo is due again. */
interface Tried {
  readonly source: string
  readonly due: number
}

export interface PictureStore extends MadePictures {
  /** Runs `work` in one short transaction, which an error rolls back. */
  transact<T>(work: () => T): T
  /** Registers the photos of a seller. Those that may be fetched enter the queue. */
  showPhotos(seller: string, shown: readonly string[], permitted: readonly string[]): void
  /** Returns those of these photos that have no picture of this recipe. */
  findLacking(
    addresses: readonly string[],
    recipe: string,
  ): readonly (KnownPhoto & { readonly due: number })[]
  /**
   * Returns the photos that are due and shown: those without a picture first, and in turn one of each seller. With
   * `isAll`, others too, but only those that have not been tried since `now`.
   */
  readQueue(queue: QueueQuery): readonly KnownPhoto[]
  /** Returns why the last try failed, by address. */
  findFailures(addresses: readonly string[]): ReadonlyMap<string, string>
  /** Stores a picture. If it is another one, the sellers who show the photo are logged, and the result is true. */
  keepPicture(address: string, kept: KeptPicture): boolean
  keepUnchanged(address: string, tried: number, due: number): void
  keepFailure(address: string, reason: string, tried: Tried & { readonly at: number }): void
  /** Returns the tried photos of the public folder, each with the hash of its bytes. */
  readOwn(): readonly { readonly address: string; readonly source: string }[]
  /** Forgets the picture of a photo, which is due at once. */
  renew(address: string): void
  findSocial(seller: string): { readonly path: string; readonly inputs: string } | null
  keepSocial(seller: string, inputs: string, file: StoredFile): void
  readFile(path: string): Uint8Array | null
  /** Deletes what belongs to other sellers than these, and all photos and files that nobody shows. */
  sweep(sellers: readonly string[]): void
  /** Returns the last row of the log. */
  readVersion(): PicturePosition
  /** Returns the sellers of later rows; `null` if the log does not have this row. */
  readChanges(position: PicturePosition | null): readonly string[] | null
  /** Deletes the rows before this one. */
  forgetChanges(position: PicturePosition | null): void
  close(): void
}

interface QueueQuery {
  readonly now: number
  readonly isAll: boolean
  readonly recipe: string
  readonly most: number
}

interface KeptPicture extends Tried {
  readonly made: MadePicture
  readonly validators: Validators
  readonly recipe: string
  readonly at: number
}
