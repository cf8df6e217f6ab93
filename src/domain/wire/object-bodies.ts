/** Parses the bodies of builders' calls about objects. Each parser returns `null` for a malformed body. */
import {
  array,
  boolean,
  check,
  exactOptional,
  integer,
  literal,
  maxLength,
  maxValue,
  minValue,
  nullable,
  number,
  pipe,
  record,
  safeParse,
  strictObject,
  string,
  union,
  unknown,
  variant,
} from 'valibot'
import type { GenericSchema, InferOutput } from 'valibot'
import { isRecord } from '../documents/json.ts'
import { findIdProblem } from '../documents/page-id.ts'
import { isPrice } from '../documents/price.ts'
import type { ObjectData, ObjectName } from '../objects/object-data.ts'
import { HOME_OBJECT } from '../objects/object-data.ts'
import { isStoredFile } from '../objects/stored-file.ts'
import type { FilesCall, LiveCall, MissingCall, PushBatch, TagsCall } from './object-calls.ts'
import { MAX_FILES, MAX_OBJECTS, MAX_PATHS } from './object-calls.ts'

const LABEL = pipe(string(), maxLength(200))
export const NAME = pipe(
  string(),
  check((name) => findNameProblem(name) === null),
)
export const KEY = pipe(string(), maxLength(1_024))
const PATH = pipe(string(), check(isStoredFile))

export const NAMES = pipe(array(NAME), maxLength(MAX_OBJECTS))
export const BUCKET = pipe(number(), integer(), minValue(0), maxValue(255))
const TAGS = union([strictObject({ names: NAMES }), strictObject({ bucket: BUCKET, after: nullable(KEY) })])
const PACKED = strictObject({ gzip: string() })
const BATCH = strictObject({
  format: number(),
  intake: LABEL,
  isShrinkAllowed: boolean(),
  objects: pipe(
    array(strictObject({ name: string(), tag: nullable(LABEL), data: unknown() })),
    maxLength(MAX_OBJECTS),
    check((objects) => new Set(objects.map(({ name }) => name)).size === objects.length),
  ),
})
const MISSING = strictObject({ paths: pipe(array(PATH), maxLength(MAX_PATHS)) })
const FILES = strictObject({
  files: pipe(array(strictObject({ path: PATH, content: string() })), maxLength(MAX_FILES)),
})
const LIVE = strictObject({ code: LABEL })

const PRICE = nullable(
  pipe(
    number(),
    check((price) => isPrice(price)),
  ),
)
const DECANT = strictObject({ price: PRICE, available: boolean() })
export const PRODUCT = strictObject({
  id: string(),
  name: string(),
  photo: nullable(string()),
  price: PRICE,
  available: boolean(),
  _5ml: DECANT,
  _10ml: DECANT,
})
const CATALOGUE = strictObject({
  seller: string(),
  name: string(),
  whatsapp: nullable(string()),
  products: array(PRODUCT),
})
const SOURCES = array(strictObject({ path: string(), width: number() }))
export const PICTURE = strictObject({
  type: nullable(string()),
  sources: SOURCES,
  tone: nullable(number()),
  fallback: exactOptional(string()),
})
const PREVIEW = strictObject({
  path: string(),
  width: number(),
  height: number(),
  sources: exactOptional(SOURCES),
})
const DATA = variant('kind', [
  strictObject({
    kind: literal('seller'),
    catalogue: CATALOGUE,
    pictures: strictObject({ photos: record(string(), PICTURE), social: nullable(string()) }),
    previews: record(string(), PREVIEW),
    hasProfile: boolean(),
    updated: pipe(string(), maxLength(40)),
  }),
  strictObject({ kind: literal('home'), stores: array(string()), social: nullable(string()) }),
])

/** A batch whose data is not parsed yet: malformed data stops no other object. */
export interface UnreadBatch extends Omit<PushBatch, 'objects'> {
  readonly objects: readonly UnreadObject[]
}

export interface UnreadObject {
  readonly name: ObjectName
  readonly tag: string | null
  readonly data: unknown
}

export function parseTags(body: unknown): TagsCall | null {
  return parse(TAGS, body)
}

/** Returns base64. */
export function parsePacked(body: unknown): string | null {
  return parse(PACKED, body)?.gzip ?? null
}

export function parseBatch(body: unknown): UnreadBatch | null {
  return parse(BATCH, body)
}

export function parseMissing(body: unknown): MissingCall | null {
  return parse(MISSING, body)
}

export function parseFiles(body: unknown): FilesCall | null {
  return parse(FILES, body)
}

export function parseLive(body: unknown): LiveCall | null {
  return parse(LIVE, body)
}

/** Returns the data, `null` for a seller that is gone, or what is wrong. */
export function parseObjectData({
  name,
  data,
}: UnreadObject): ObjectData | null | { readonly problem: string } {
  const problem = findNameProblem(name)
  if (problem !== null) return { problem: `the name ${problem}` }
  if (data === null) return name === HOME_OBJECT ? { problem: 'the home page cannot be gone' } : null
  const result = safeParse(DATA, data, { abortEarly: true })
  if (!result.success) return { problem: `the data is malformed: ${formatPlace(result.issues[0])}` }
  const { output } = result
  const owner = output.kind === 'home' ? HOME_OBJECT : output.catalogue.seller
  return owner === name ? output : { problem: 'the data is that of another object' }
}

function findNameProblem(name: ObjectName): string | null {
  return name === HOME_OBJECT ? null : findIdProblem(name)
}

function formatPlace({
  path,
}: {
  readonly path?: readonly { readonly key?: unknown }[] | undefined
}): string {
  return path?.map(({ key }) => String(key)).join('.') ?? 'no record'
}

/** Returns `null` for a body of another shape. */
export function parse<Schema extends GenericSchema>(
  schema: Schema,
  body: unknown,
): InferOutput<Schema> | null {
  // valibot accepts an array as an object without fields.
  if (!isRecord(body)) return null
  const result = safeParse(schema, body, { abortEarly: true })
  return result.success ? result.output : null
}
