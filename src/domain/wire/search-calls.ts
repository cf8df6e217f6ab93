/** The builders' calls about the search index. A site without an index answers 404. */
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
  object,
  picklist,
  pipe,
  strictObject,
  string,
} from 'valibot'
import { MAX_UPDATES, UPDATE_OUTCOMES } from '../search/search-index.ts'
import type { Answer, CallTable, ParsedBody } from './call.ts'
import { DATA_LIMITS, QUESTION_LIMITS } from './call.ts'
import { BUCKET_PAGE, NAMES } from './object-calls.ts'
import { OBJECT_NAME, PICTURE, PRODUCT } from './seller-body.ts'

const COUNT = pipe(number(), integer(), minValue(0), maxValue(Number.MAX_SAFE_INTEGER))
const ENTRY = object({
  seller: object({ id: OBJECT_NAME, name: string() }),
  products: pipe(
    array(object({ product: PRODUCT, picture: nullable(PICTURE) })),
    minLength(1),
    check((products) => new Set(products.map(({ product }) => product.id)).size === products.length),
  ),
})
/** The Worker computes the digest, because it depends on the code that makes words of names. */
const SELLER = pipe(
  object({ seller: OBJECT_NAME, sequence: COUNT, entry: nullable(ENTRY) }),
  check(({ seller, entry }) => entry === null || entry.seller.id === seller),
)
const SELLERS = pipe(
  array(SELLER),
  maxLength(MAX_UPDATES),
  check((sellers) => new Set(sellers.map(({ seller }) => seller)).size === sellers.length),
)

/** `sequence`: that of the update; in lane `objects` the version of the object, 0 without one. */
const RESULT = object({ seller: string(), sequence: number(), outcome: picklist(UPDATE_OUTCOMES) })
/** `shards`: their number. */
const UPDATED = object({ shards: number(), results: array(RESULT) })
const BEGUN = {
  shards: number(),
  /** In ms by the clock of the site. An update from before the index was emptied is ignored. */
  since: number(),
  /** Whether a comparison has ended since the index was created or cleared. */
  isFilled: boolean(),
  /** Updates with a smaller sequence are ignored. */
  floor: number(),
}

const ASKED = { opens: 'builders', limits: QUESTION_LIMITS } as const

export const SEARCH_CALLS = {
  /** Returns the time of updates that begin now. */
  begin: { ...ASKED, path: '/search/begin', body: strictObject({}), answer: object(BEGUN) },
  /** Replaces sellers. Only in lane `assets`, where the publisher knows the data. `since`: as the site returned it. */
  update: {
    opens: 'builders',
    limits: DATA_LIMITS,
    path: '/search/update',
    isPacked: true,
    body: object({ isRepair: boolean(), since: COUNT, sellers: SELLERS }),
    answer: UPDATED,
  },
  /** Reads the objects of sellers, and replaces these in the index. Only in lane `objects`. */
  refresh: {
    ...ASKED,
    path: '/search/refresh',
    body: strictObject({ names: NAMES, since: COUNT }),
    answer: UPDATED,
  },
  /** What the index has, to compare it with the site: a digest of each bucket. */
  readDigests: {
    ...ASKED,
    path: '/search/digests',
    body: strictObject({}),
    answer: object({ ...BEGUN, buckets: array(object({ bucket: number(), digest: string() })) }),
  },
  /** The sellers of a bucket. `next`: `after` of the next call; `null` at the end of the bucket. */
  listSellers: {
    ...ASKED,
    path: '/search/sellers',
    body: BUCKET_PAGE,
    answer: object({
      sellers: array(object({ seller: string(), sequence: number(), digest: nullable(string()) })),
      next: nullable(string()),
    }),
  },
  /** The end of a comparison. */
  endComparison: {
    ...ASKED,
    path: '/search/compared',
    body: strictObject({ repaired: COUNT, since: COUNT, floor: COUNT }),
    answer: object({}),
  },
  /** Empties an index whose sequences are ahead of those of the site; once for each `since`. */
  clear: {
    ...ASKED,
    path: '/search/clear',
    body: strictObject({ clear: literal(true), since: COUNT }),
    answer: object({}),
  },
  /** What is in the index, and how it is kept. */
  readState: {
    ...ASKED,
    path: '/search/count',
    body: strictObject({}),
    answer: object({
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

export type UpdateCall = ParsedBody<Table['update']>
export type SentSeller = UpdateCall['sellers'][number]
export type SearchUpdateAnswer = Answer<Table['update']>
export type SellerResult = SearchUpdateAnswer['results'][number]
export type BegunAnswer = Answer<Table['begin']>
export type IndexState = Answer<Table['readState']>
