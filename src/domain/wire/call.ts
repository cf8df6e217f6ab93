/**
 * The parts of a signed call to `/api/rebuild<path>`. Tables list each call once; the call's types, its parsers, the
 * builder's client and the Worker's route are derived from these tables. Fields of an answer that are not in its schema
 * are ignored.
 */
import type { GenericSchema, InferInput, InferOutput } from 'valibot'
import { safeParse } from 'valibot'
import { isRecord } from '../documents/json.ts'
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
  readonly body: GenericSchema
  readonly answer: GenericSchema
  /** The reason in a 409 response, for which the client returns `null`. Absent for calls without such a response. */
  readonly conflict?: string
}

export type CallTable = Readonly<Record<string, Call>>

/** Max bytes of the body of a call to the coordinator. */
export const LARGEST_BODY = 64 * 1024

export const COORDINATOR_LIMITS: BodyLimits = { size: LARGEST_BODY, time: 10_000 }

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
