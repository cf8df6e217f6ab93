/**
 * The parts of a signed call to `/api/rebuild<path>`. Tables list each call once; the call's types, its parsers, the
 * builder's client and the Worker's route are derived from these tables. Fields of an answer that are not in its schema
 * are ignored.
 */
import type { GenericSchema, InferInput, InferOutput } from 'valibot'
import {
  array,
  check,
  integer,
  maxLength,
  maxValue,
  minValue,
  nullable,
  number,
  pipe,
  safeParse,
  strictObject,
  string,
} from 'valibot'
import { isRecord } from '../documents/json.ts'
import { findIdProblem } from '../documents/page-id.ts'
import { BUCKETS } from '../work/buckets.ts'
import type { BodyLimits } from './read-body.ts'
import type { CallSecrets } from './secrets.ts'

export const PREFIX = '/api/rebuild'
export const METHOD = 'POST'

export interface Call {
  /** The part of the path after `PREFIX`. */
  readonly path: string
  /** The kind of secrets that permits the call. */
  readonly opens: keyof CallSecrets
  readonly limits: BodyLimits
  /** True if the body is sent as `{"gzip":"<base64 of the compressed JSON>"}`. */
  readonly isPacked?: true
  readonly body: GenericSchema
  readonly answer: GenericSchema
  /** The reason in a 409 response, for which the client returns `null`. Absent for calls without such a response. */
  readonly conflict?: string
}

export type CallTable = Readonly<Record<string, Call>>

/** Max bytes of the body of a call to the coordinator. */
export const LARGEST_BODY = 64 * 1024
/** Max bytes of the body of a call that carries data of sellers. */
export const LARGEST_PUSH = 4 * 1024 * 1024
/** Max bytes of a body with `isPacked` after decompression. */
export const LARGEST_BATCH = 32 * 1024 * 1024

export const COORDINATOR_LIMITS: BodyLimits = { size: LARGEST_BODY, time: 10_000 }
/** Secrets and limits of builders' calls that carry no data of sellers. */
export const ASKED = { opens: 'builders', limits: { size: 256 * 1024, time: 10_000 } } as const
/**
 * Secrets and limits of calls in which builders send sellers' data. The time is long enough for a slow
 * connection.
 */
export const SENT = { opens: 'builders', limits: { size: LARGEST_PUSH, time: 60_000 } } as const

export const SELLER_ID = pipe(
  string(),
  check((id) => findIdProblem(id) === null),
)
/** At most 100 sellers. */
export const SELLER_IDS = pipe(array(SELLER_ID), maxLength(100))
/**
 * The body that requests one page of a bucket's entries. `after` is the `next` of the previous answer; `null` for the
 * first page.
 */
export const BUCKET_PAGE = strictObject({
  bucket: pipe(number(), integer(), minValue(0), maxValue(BUCKETS - 1)),
  after: nullable(pipe(string(), maxLength(1_024))),
})

export type Frozen<Value> = Value extends Uint8Array
  ? Value
  : Value extends object
    ? { readonly [Key in keyof Value]: Frozen<Value[Key]> }
    : Value

export type SentBody<One extends Call> = Frozen<InferInput<One['body']>>
export type ParsedBody<One extends Call> = Frozen<InferOutput<One['body']>>
export type Answer<One extends Call> = Frozen<InferOutput<One['answer']>>
/** An answer as a client returns it: `null` for a 409 response. */
export type Answered<One extends Call> = Answer<One> | (One extends { conflict: string } ? null : never)

/** Returns `null` for a body of another shape. */
export function parseBody<Schema extends GenericSchema>(
  schema: Schema,
  body: unknown,
): Frozen<InferOutput<Schema>> | null {
  // Rejects an array, which valibot would accept as an object without fields.
  if (!isRecord(body)) return null
  const result = safeParse(schema, body, { abortEarly: true })
  return result.success ? (result.output as Frozen<InferOutput<Schema>>) : null
}
