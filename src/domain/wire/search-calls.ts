/**
 * The builders' calls about the search index. A site without an index answers 404. New versions only add fields, so that
 * builders and Workers of neighbouring releases understand each other: unknown fields are ignored, and code that reads a
 * new field has a default in case the field is missing.
 */
import {
  array,
  boolean,
  check,
  exactOptional,
  integer,
  literal,
  maxLength,
  minLength,
  minValue,
  nullable,
  number,
  object,
  picklist,
  pipe,
  strictObject,
  string,
} from 'valibot'
import { isPrice } from '../documents/price.ts'
import { MAX_UPDATES, UPDATE_OUTCOMES } from '../search/search-index.ts'
import type { Answer, CallTable, ParsedBody } from './call.ts'
import { ASKED, BUCKET_PAGE, SELLER_ID, SELLER_IDS, SENT } from './call.ts'

const PRICE = nullable(
  pipe(
    number(),
    check((price) => isPrice(price)),
  ),
)
const DECANT = object({ price: PRICE, available: boolean() })
const PRODUCT = object({
  id: string(),
  name: string(),
  photo: nullable(string()),
  price: PRICE,
  available: boolean(),
  _5ml: DECANT,
  _10ml: DECANT,
})
const SOURCES = array(object({ path: string(), width: number() }))
const PICTURE = object({
  type: nullable(string()),
  sources: SOURCES,
  tone: nullable(number()),
  fallback: exactOptional(string()),
})

/** A tag or an epoch of the search index. */
const MARK = pipe(string(), maxLength(200))
const ENTRY = object({
  seller: object({ id: SELLER_ID, name: string() }),
  products: pipe(
    array(object({ product: PRODUCT, picture: nullable(PICTURE) })),
    minLength(1),
    check((products) => new Set(products.map(({ product }) => product.id)).size === products.length),
  ),
})
/**
 * An update of one seller. It has no digest: the Worker computes the digest, because it depends on the code that splits
 * names into words.
 */
const SELLER = pipe(
  object({ seller: SELLER_ID, seen: MARK, entry: nullable(ENTRY) }),
  check(({ seller, entry }) => entry === null || entry.seller.id === seller),
)
const SELLERS = pipe(
  array(SELLER),
  maxLength(MAX_UPDATES),
  check((sellers) => new Set(sellers.map(({ seller }) => seller)).size === sellers.length),
)

/** The outcomes are in the order of the sellers in the call. */
const OUTCOMES = object({ outcomes: array(picklist(UPDATE_OUTCOMES)) })

export const SEARCH_CALLS = {
  /**
   * Returns the tags of sellers, in the order of the call. A publisher reads the tags before it checks that its publish
   * is live. `life` changes when a shard is emptied or the number of shards changes.
   */
  see: {
    ...ASKED,
    path: '/search/see',
    body: strictObject({ see: SELLER_IDS }),
    answer: object({ life: string(), tags: array(string()) }),
  },
  /** Replaces the data of sellers whose tags have not changed since they were seen. */
  update: {
    ...SENT,
    path: '/search/update',
    isPacked: true,
    body: object({ sellers: SELLERS }),
    answer: OUTCOMES,
  },
  /**
   * Begins a comparison, which makes all earlier tags invalid. Returns a digest of each bucket that has a seller with
   * products.
   */
  begin: {
    ...ASKED,
    path: '/search/begin',
    body: strictObject({ compare: literal(true) }),
    answer: object({
      epoch: string(),
      life: string(),
      buckets: array(object({ bucket: number(), digest: string() })),
    }),
  },
  /** Lists sellers of a bucket. `next`: the value of `after` in the next call; `null` at the bucket's end. */
  listSellers: {
    ...ASKED,
    path: '/search/sellers',
    body: BUCKET_PAGE,
    answer: object({
      sellers: array(object({ seller: string(), digest: nullable(string()) })),
      next: nullable(string()),
    }),
  },
  /** Records the end of the comparison that began this epoch. */
  endComparison: {
    ...ASKED,
    path: '/search/compared',
    body: strictObject({ epoch: MARK, repaired: pipe(number(), integer(), minValue(0)) }),
    answer: object({}),
  },
  readState: {
    ...ASKED,
    path: '/search/count',
    body: strictObject({}),
    answer: object({
      life: string(),
      shards: number(),
      sellers: number(),
      products: number(),
      compared: nullable(string()),
      repaired: number(),
      unfed: number(),
    }),
  },
} as const satisfies CallTable

type Table = typeof SEARCH_CALLS

type UpdateCall = ParsedBody<Table['update']>
export type SentSeller = UpdateCall['sellers'][number]
export type IndexState = Answer<Table['readState']>
