/**
 * The calls of builders that concern objects, and the answers of the Worker. All are signed with the builders' secret, and
 * sent to `/api/rebuild/<name>`.
 *
 * - `tags`: tells the tag of each object. A builder asks for it before it reads the source.
 * - `push`: stores data that was read after the tags were told. The Worker renders the pages.
 * - `missing`, `files`: which files the store lacks, and some of them: pictures, and hashed assets for older pages.
 * - `live`: the code of the answering Worker is the live one; objects of other code are rendered again in the background.
 */
import type { ObjectData, ObjectName } from '../objects/object-data.ts'

/** Max objects of a `push`, and names of `tags`. */
export const MAX_OBJECTS = 100
/** Max bytes of the body of `push` and `files`. */
export const LARGEST_PUSH = 4 * 1024 * 1024
/** Max bytes of the unpacked batch. */
export const LARGEST_BATCH = 32 * 1024 * 1024
/** Max paths of `missing`. */
export const MAX_PATHS = 500
/** Max files of `files`. Their content is limited by the body's size. */
export const MAX_FILES = 200

/** What the answering Worker consists of. */
export interface CodeState {
  /** Fingerprint of the renderer with the site's settings. */
  readonly code: string
  /** Hash of the code that makes data from documents. */
  readonly intake: string
  readonly format: number
}

export interface ObjectTag {
  readonly name: ObjectName
  /** `null`: there is no object, and never was one. */
  readonly tag: string | null
  /** 0 without an object. One more with each put. */
  readonly version: number
  /** Digest of the data; `null` without an object, and for the tombstone of a seller that is gone. */
  readonly digest: string | null
  readonly intake: string | null
}

/** Named objects, or a page of those of a bucket. */
export type TagsCall =
  | { readonly names: readonly ObjectName[] }
  | { readonly bucket: number; readonly after: string | null }

export interface TagsAnswer {
  readonly worker: CodeState
  /** One for each name; of a bucket those that exist, tombstones included. */
  readonly objects: readonly ObjectTag[]
  /** `after` of the next call; `null` at the end of the bucket, and for names. */
  readonly next: string | null
}

export interface PushedObject {
  readonly name: ObjectName
  /** The tag that was told before the data was read. */
  readonly tag: string | null
  /** `null`: the seller does not exist (any more). */
  readonly data: ObjectData | null
}

/** Sent as `{"gzip":"<base64 of the compressed JSON>"}`. */
export interface PushBatch {
  readonly format: number
  readonly intake: string
  readonly objects: readonly PushedObject[]
  /** Whether the guard's refusal of removals is lifted, once. */
  readonly isShrinkAllowed: boolean
}

/**
 * `beaten`: another writer has put since the tags were told; tell tags, read and push again. `refused`: the guard holds
 * removals. `failed`: the page cannot be rendered or is too large; the old object stays.
 */
export type PushResult = { readonly name: ObjectName } & (
  | { readonly outcome: 'stored'; readonly tag: string; readonly version: number }
  | { readonly outcome: 'beaten' }
  | { readonly outcome: 'refused' | 'failed'; readonly reason: string }
)

export interface PushAnswer {
  readonly results: readonly PushResult[]
}

export interface MissingCall {
  /** Paths such as `fotos/<name>`, without a slash in front. */
  readonly paths: readonly string[]
}

export interface MissingAnswer {
  readonly missing: readonly string[]
}

export interface FilesCall {
  readonly files: readonly {
    readonly path: string
    /** Base64. */
    readonly content: string
  }[]
}

export interface FilesAnswer {
  readonly stored: number
}

export interface LiveCall {
  /** The code that was made live. Another Worker than that answers 409. */
  readonly code: string
}

export interface LiveAnswer {
  readonly refill: 'started' | 'running' | 'done'
}
