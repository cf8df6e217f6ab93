/**
 * Data of sellers inside the bodies of builders. It grows by addition: unknown fields are ignored, so that a builder and a
 * Worker of neighbouring releases understand each other.
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
  variant,
} from 'valibot'
import { findIdProblem } from '../documents/page-id.ts'
import { isPrice } from '../documents/price.ts'
import type { ObjectData, ObjectName } from '../objects/object-data.ts'
import { HOME_OBJECT } from '../objects/object-data.ts'

/** The name of an object. */
export const OBJECT_NAME = pipe(
  string(),
  check((name) => findNameProblem(name) === null),
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
const DATA = variant('kind', [
  object({
    kind: literal('seller'),
    catalogue: CATALOGUE,
    pictures: object({ photos: record(string(), PICTURE), social: nullable(string()) }),
    previews: record(string(), PREVIEW),
    hasProfile: boolean(),
    updated: pipe(string(), maxLength(40)),
  }),
  object({ kind: literal('home'), stores: array(string()), social: nullable(string()) }),
])

export interface UnreadObject {
  readonly name: ObjectName
  readonly data: unknown
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
