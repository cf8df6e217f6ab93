/** Parses the bodies of signed calls to the coordinator. Each parser returns `null` for a malformed body. */
import {
  array,
  boolean,
  check,
  literal,
  maxLength,
  maxValue,
  minLength,
  minValue,
  nullable,
  nullish,
  number,
  optional,
  pipe,
  safeInteger,
  safeParse,
  strictObject,
  string,
  transform,
  union,
} from 'valibot'
import type { GenericSchema, InferOutput } from 'valibot'
import { isRecord } from '../documents/json.ts'
import { findIdProblem } from '../documents/page-id.ts'
import type {
  CatalogueNotice,
  Claim,
  BuildReport,
  Forced,
  Hold,
  PublishCall,
  PublishEnd,
  Release,
  StatusQuery,
} from './calls.ts'

/** In bytes. */
export const LARGEST_BODY = 64 * 1024
export const MAX_SELLERS = 1_000
/** Max failed pages in a report. A build with more is reported as failed. */
export const MAX_FAILED = 500
/** Max sellers of whom a claim asks whether they exist. Their numbers take half of a body. */
export const MAX_STRANGERS = 4_000
/** Max length of a reason, and of a caller's name, in UTF-16 units; longer ones are cut. */
export const MAX_REASON = 200

// Firestore's limit for document ids, in bytes.
const ID = pipe(string(), minLength(1), maxLength(1_500))
const NAME = pipe(string(), minLength(1), maxLength(200))
const TIME = pipe(string(), maxLength(40))
const SEQUENCE = pipe(number(), safeInteger(), minValue(0), maxValue(Number.MAX_SAFE_INTEGER))
const REASON = pipe(
  string(),
  transform((text) => text.slice(0, MAX_REASON).toWellFormed()),
)

const CHANGED = strictObject({
  type: literal('catalogue.changed'),
  timestamp: TIME,
  data: strictObject({ sellers: pipe(array(string()), minLength(1), maxLength(MAX_SELLERS)) }),
})
const REBUILD = strictObject({
  type: literal('catalogue.rebuild'),
  timestamp: TIME,
  data: strictObject({ full: pipe(boolean(), literal(true)) }),
})
const CLAIM = strictObject({ builder: NAME, have: nullish(SEQUENCE, null) })
const RENEW = strictObject({ lease: NAME })
const FAILED = strictObject({ seller: ID, reason: REASON })
const BY = nullish(REASON, null)
const PUBLISH = strictObject({ version: NAME, sequence: SEQUENCE, base: nullish(NAME, null), by: BY })
const PUBLISHED = strictObject({ lease: NAME, isLive: nullable(boolean()), by: BY })
const HOLD = strictObject({
  reason: REASON,
  live: nullish(strictObject({ version: NAME, sequence: SEQUENCE }), null),
  by: BY,
})
const FORCED = strictObject({
  version: NAME,
  sequence: SEQUENCE,
  reason: REASON,
  by: BY,
  at: nullish(
    pipe(
      TIME,
      check((text) => !Number.isNaN(Date.parse(text))),
    ),
    null,
  ),
})
const STATUS_QUERY = strictObject({ log: optional(literal(true)) })
// Not an empty object: a captured status call, replayed against this path, must not release the hold.
const RELEASE = strictObject({ release: literal(true), by: BY })
const NUMBERS = pipe(array(SEQUENCE), maxLength(MAX_STRANGERS))
const REPORT = union([
  strictObject({
    lease: NAME,
    upTo: SEQUENCE,
    failed: pipe(array(FAILED), maxLength(MAX_FAILED)),
    photos: optional(SEQUENCE),
    strangers: optional(strictObject({ known: NUMBERS, absent: NUMBERS })),
  }),
  strictObject({ lease: NAME, error: REASON }),
])

/** Leaves out sellers whose id cannot have a page, and counts them. */
export function parseNotice(body: unknown, id: string): CatalogueNotice | null {
  const notice = parse(union([CHANGED, REBUILD]), body)
  if (notice === null) return null
  if ('full' in notice.data) return { id, sellers: [], isFull: true }
  const named = new Set(notice.data.sellers)
  const sellers = [...named].filter((seller) => findIdProblem(seller) === null)
  const ignored = named.size - sellers.length
  return { id, sellers, isFull: false, ...(ignored === 0 ? {} : { ignored }) }
}

export function parseClaim(body: unknown): Omit<Claim, 'newLease'> | null {
  return parse(CLAIM, body)
}

export function parseRenew(body: unknown): string | null {
  return parse(RENEW, body)?.lease ?? null
}

export function parseReport(body: unknown): BuildReport | null {
  return parse(REPORT, body)
}

export function parsePublish(body: unknown): Omit<PublishCall, 'newLease'> | null {
  return parse(PUBLISH, body)
}

export function parsePublished(body: unknown): PublishEnd | null {
  return parse(PUBLISHED, body)
}

export function parseHold(body: unknown): Hold | null {
  return parse(HOLD, body)
}

export function parseRelease(body: unknown): Release | null {
  const release = parse(RELEASE, body)
  return release === null ? null : { by: release.by }
}

export function parseForced(body: unknown): Forced | null {
  return parse(FORCED, body)
}

export function parseStatusQuery(body: unknown): StatusQuery | null {
  const query = parse(STATUS_QUERY, body)
  return query === null ? null : { isLogWanted: query.log === true }
}

function parse<Schema extends GenericSchema>(schema: Schema, body: unknown): InferOutput<Schema> | null {
  // valibot accepts an array as an object without fields.
  if (!isRecord(body)) return null
  const result = safeParse(schema, body, { abortEarly: true })
  return result.success ? result.output : null
}
