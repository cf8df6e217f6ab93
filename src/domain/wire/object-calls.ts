/** The builders' calls about objects. A site without objects answers 404. */
import {
  array,
  boolean,
  check,
  instance,
  literal,
  maxLength,
  minLength,
  nullable,
  number,
  object,
  picklist,
  pipe,
  strictObject,
  string,
  transform,
  union,
  unknown,
  variant,
} from 'valibot'
import type { SellerData } from '../objects/object-data.ts'
import { isStoredFile } from '../objects/stored-file.ts'
import type { Answer, CallTable, ParsedBody } from './call.ts'
import { ASKED, BUCKET_PAGE, decodeBase64, MAX_NAMES, NAMES, SENT } from './call.ts'

/** Max paths in one call of `findMissing`. */
const MAX_PATHS = 500
/** Max files in one call of `storeFiles`. The size of the body limits their content. */
const MAX_FILES = 200

const LABEL = pipe(string(), maxLength(200))
/** A path such as `fotos/<name>`, without a slash in front. */
const PATH = pipe(string(), check(isStoredFile))
const CONTENT = pipe(string(), transform(decodeBase64), instance(Uint8Array))

/** The code and the data format of the Worker that answers. */
const CODE_STATE = object({
  /** Fingerprint of the renderer with the site's settings. */
  code: string(),
  /** Hash of the code that makes data from documents. */
  intake: string(),
  format: number(),
})
const TAG = object({
  name: string(),
  /** `null` without an object. */
  tag: nullable(string()),
  /** Grows with each put of the object; 0 without an object. */
  version: number(),
  /** Digest of the data; `null` without an object, and for the tombstone of a deleted seller. */
  digest: nullable(string()),
  intake: nullable(string()),
})

/**
 * `tag` was read before the data. `data` is not parsed here, so that malformed data of one object does not reject the
 * others.
 */
const OBJECT = object({ name: string(), tag: nullable(LABEL), data: unknown() })
const BATCH = object({
  format: number(),
  intake: LABEL,
  /**
   * Permits removals that the guard would refuse: those of the objects in this call, or, in a call without objects,
   * those that were refused so far.
   */
  isShrinkAllowed: boolean(),
  objects: pipe(
    array(OBJECT),
    maxLength(MAX_NAMES),
    check((objects) => new Set(objects.map(({ name }) => name)).size === objects.length),
  ),
})
/**
 * `beaten`: another writer has put the object since its tag was read; read tag and data again and push again.
 * `refused`: the guard holds removals. `failed`: the data is malformed, or the page cannot be rendered or is too large;
 * the old object stays.
 */
const RESULT = variant('outcome', [
  object({ name: string(), outcome: literal('stored'), tag: string(), version: number() }),
  object({ name: string(), outcome: literal('beaten') }),
  object({ name: string(), outcome: picklist(['refused', 'failed']), reason: string() }),
])

export const OBJECT_CALLS = {
  /**
   * Reads the tags of named objects or of a bucket, including those of tombstones. A builder reads tags before it reads
   * the source.
   */
  readTags: {
    ...ASKED,
    path: '/tags',
    body: union([strictObject({ names: NAMES }), BUCKET_PAGE]),
    /**
     * `next`: the value of `after` in the next call; `null` at the end of the bucket, and in the answer to a call with
     * `names`.
     */
    answer: object({ worker: CODE_STATE, objects: array(TAG), next: nullable(string()) }),
  },
  /** Stores data that was read after the tags. The Worker renders the pages. */
  push: {
    ...SENT,
    path: '/push',
    isPacked: true,
    body: BATCH,
    answer: object({ results: array(RESULT) }),
  },
  /** Returns the paths of files that the store lacks: pictures, and hashed assets that older pages need. */
  findMissing: {
    ...ASKED,
    path: '/missing',
    body: strictObject({ paths: pipe(array(PATH), maxLength(MAX_PATHS)) }),
    answer: object({ missing: array(string()) }),
  },
  /** `content` is base64. */
  storeFiles: {
    ...SENT,
    path: '/files',
    body: strictObject({
      files: pipe(array(strictObject({ path: PATH, content: CONTENT })), minLength(1), maxLength(MAX_FILES)),
    }),
    answer: object({ stored: number() }),
  },
} as const satisfies CallTable

type Table = typeof OBJECT_CALLS

export type TagsCall = ParsedBody<Table['readTags']>
export type TagsAnswer = Answer<Table['readTags']>
export type CodeState = TagsAnswer['worker']
export type ObjectTag = TagsAnswer['objects'][number]

export type UnreadBatch = ParsedBody<Table['push']>
export type PushedObject = Omit<UnreadBatch['objects'][number], 'data'> & {
  /** `null` if the seller does not exist. */
  readonly data: SellerData | null
}
export type PushBatch = Omit<UnreadBatch, 'objects'> & { readonly objects: readonly PushedObject[] }
export type PushAnswer = Answer<Table['push']>
export type PushResult = PushAnswer['results'][number]
