/** Parses the bodies of builders' calls about the search index. Each parser returns `null` for a malformed body. */
import {
  array,
  boolean,
  check,
  integer,
  literal,
  maxLength,
  maxValue,
  minLength,
  minValue,
  nullable,
  number,
  pipe,
  strictObject,
  string,
} from 'valibot'
import type { Comparison } from '../search/search-index.ts'
import { MAX_UPDATES } from '../search/search-index.ts'
import { BUCKET, KEY, NAME, NAMES, parse, PICTURE, PRODUCT } from './object-bodies.ts'
import type { ClearCall, RefreshCall, SellersCall, UpdateCall } from './search-calls.ts'

const COUNT = pipe(number(), integer(), minValue(0), maxValue(Number.MAX_SAFE_INTEGER))
const ENTRY = strictObject({
  seller: strictObject({ id: NAME, name: string() }),
  products: pipe(
    array(strictObject({ product: PRODUCT, picture: nullable(PICTURE) })),
    minLength(1),
    check((products) => new Set(products.map(({ product }) => product.id)).size === products.length),
  ),
})
const SELLER = pipe(
  strictObject({ seller: NAME, sequence: COUNT, entry: nullable(ENTRY) }),
  check(({ seller, entry }) => seller !== '' && (entry === null || entry.seller.id === seller)),
)
const UPDATE = strictObject({
  isRepair: boolean(),
  since: COUNT,
  sellers: pipe(
    array(SELLER),
    maxLength(MAX_UPDATES),
    check((sellers) => new Set(sellers.map(({ seller }) => seller)).size === sellers.length),
  ),
})
const REFRESH = strictObject({ names: NAMES, since: COUNT })
const SELLERS = strictObject({ bucket: BUCKET, after: nullable(KEY) })
const COMPARED = strictObject({ repaired: COUNT, since: COUNT, floor: COUNT })
const CLEAR = strictObject({ clear: literal(true), since: COUNT })
const NOTHING = strictObject({})

export function parseUpdate(body: unknown): UpdateCall | null {
  return parse(UPDATE, body)
}

export function parseRefresh(body: unknown): RefreshCall | null {
  return parse(REFRESH, body)
}

export function parseSellers(body: unknown): SellersCall | null {
  return parse(SELLERS, body)
}

export function parseCompared(body: unknown): Comparison | null {
  return parse(COMPARED, body)
}

export function parseClear(body: unknown): ClearCall | null {
  return parse(CLEAR, body)
}

export function parseNothing(body: unknown): object | null {
  return parse(NOTHING, body)
}
