/**
 * Data of sellers in the bodies of builders' calls, and in objects put by another version of the code. New versions
 * only add fields, so that builders and Workers of neighbouring releases understand each other: unknown fields are kept
 * but not read, and code that reads a new field has a default in case the field is missing.
 */
import {
  array,
  boolean,
  check,
  exactOptional,
  literal,
  maxLength,
  nullable,
  number,
  object,
  pipe,
  record,
  safeParse,
  string,
} from 'valibot'
import { findIdProblem } from '../documents/page-id.ts'
import { isPrice } from '../documents/price.ts'
import type { SellerData } from '../objects/object-data.ts'

export const OBJECT_NAME = pipe(
  string(),
  check((name) => findIdProblem(name) === null),
)

const PRICE = nullable(
  pipe(
    number(),
    check((price) => isPrice(price)),
  ),
)
const DECANT = object({ price: PRICE, available: boolean() })
export const PRODUCT = object({
  id: string(),
  name: string(),
  photo: nullable(string()),
  price: PRICE,
  available: boolean(),
  _5ml: DECANT,
  _10ml: DECANT,
})
const CATALOGUE = object({
  seller: string(),
  name: string(),
  whatsapp: nullable(string()),
  products: array(PRODUCT),
})
const SOURCES = array(object({ path: string(), width: number() }))
export const PICTURE = object({
  type: nullable(string()),
  sources: SOURCES,
  tone: nullable(number()),
  fallback: exactOptional(string()),
})
const PREVIEW = object({
  path: string(),
  width: number(),
  height: number(),
  sources: exactOptional(SOURCES),
})
const DATA = object({
  kind: literal('seller'),
  catalogue: CATALOGUE,
  pictures: object({ photos: record(string(), PICTURE), social: nullable(string()) }),
  previews: record(string(), PREVIEW),
  hasProfile: boolean(),
  updated: pipe(string(), maxLength(40)),
})

interface UnreadObject {
  readonly name: string
  readonly data: unknown
}

/** Returns the data, `null` for a deleted seller, or the problem of the data. */
export function parseObjectData({
  name,
  data,
}: UnreadObject): SellerData | null | { readonly problem: string } {
  const problem = findIdProblem(name)
  if (problem !== null) return { problem: `the name ${problem}` }
  if (data === null) return null
  const result = safeParse(DATA, data, { abortEarly: true })
  if (!result.success) return { problem: `the data is malformed at ${formatPlace(result.issues[0])}` }
  // Returns the data as received instead of the parsed copy. The copy lacks unknown fields, but the builder's digest
  // includes them.
  const known = data as SellerData
  return known.catalogue.seller === name ? known : { problem: 'the data is that of another object' }
}

function formatPlace({
  path,
}: {
  readonly path?: readonly { readonly key?: unknown }[] | undefined
}): string {
  return path?.map(({ key }) => String(key)).join('.') ?? 'its top level, which is not an object'
}
