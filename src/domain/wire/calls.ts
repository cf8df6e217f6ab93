/**
 * The calls to a site's coordinator, at `/api/rebuild<path>`. Each may be repeated. Times are RFC 3339. A body with
 * unknown fields is malformed, so that a captured call cannot be replayed at the address of another call. Unknown fields
 * of an answer are ignored.
 */
import * as v from 'valibot'
import { isRecord } from '../documents/json.ts'
import { SITE_MARKER } from './site-marker.ts'

export const PREFIX = '/api/rebuild'
/** Path of the WebSocket on which a builder waits, and the message that wakes it. A builder may send `PING`. */
export const WAIT = { path: '/wait', wake: 'wake', ping: 'ping', pong: 'pong' } as const

/** Max bytes of a body. */
export const LARGEST_BODY = 64 * 1024
const MAX_SELLERS = 1_000
/** Max failed sellers in a report. */
export const MAX_FAILED = 500
/** Max length of a reason, in UTF-16 units; longer ones are cut. */
export const MAX_REASON = 100

/** A token of a lease, which its claimer chooses at random: 128 bits or more. */
const TOKEN = /^[\w-]{22,100}$/

// Firestore limits document ids to 1,500 bytes. An id never has more UTF-16 units than bytes.
const ID = v.pipe(v.string(), v.minLength(1), v.maxLength(1_500))
const NAME = v.pipe(v.string(), v.minLength(1), v.maxLength(200))
const SEQUENCE = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const REASON = v.pipe(
  v.string(),
  v.transform((text) => text.slice(0, MAX_REASON).toWellFormed()),
)
const MARKER = v.nullable(SITE_MARKER)

const NOTICE = v.strictObject({
  type: v.picklist(['catalogue.changed', 'catalogue.rebuild']),
  timestamp: v.pipe(v.string(), v.maxLength(40)),
  /** `full` asks for a read of everything, and needs `REBUILD_SECRET`. */
  data: v.union([
    v.strictObject({ sellers: v.pipe(v.array(ID), v.minLength(1), v.maxLength(MAX_SELLERS)) }),
    v.strictObject({ full: v.literal(true) }),
  ]),
})

const FAILED = v.pipe(v.array(v.strictObject({ seller: ID, reason: REASON })), v.maxLength(MAX_FAILED))

/** `seconds`: how long the lease lasts, counted from when the call was sent. `live`: the marker of the live site. */
const LEASE = { seconds: v.number(), live: MARKER }

const STATUS = v.object({
  now: v.string(),
  /** Number of sellers whose changes are not live. */
  waiting: v.number(),
  /** Whether a read of everything waits. */
  full: v.boolean(),
  /** When the oldest change arrived that is not live. */
  oldest: v.nullable(v.string()),
  lease: v.nullable(v.object({ builder: v.string(), until: v.string() })),
  /** Number of sellers whose pages fail, and the first 100 of them. */
  failed: v.number(),
  failing: v.array(v.object({ seller: v.string(), reason: v.string(), tries: v.number(), next: v.string() })),
  /** Number of builders that wait on a WebSocket. */
  builders: v.number(),
  /** The workflow that is started if no builder waits. */
  workflow: v.nullable(v.string()),
  /** Number of starts since the last claim, and of failed builds since the last one that ended well. */
  tries: v.number(),
  failures: v.number(),
  /** When the next builder is started. */
  next: v.nullable(v.string()),
  /** Why the last build failed or could not be started. */
  error: v.nullable(v.string()),
  /** Why publishing is held. */
  held: v.nullable(v.string()),
  /** Run of the site that was reported last. */
  reported: v.nullable(v.string()),
  live: MARKER,
  /** Settings of the Worker that are missing or invalid. */
  problems: v.array(v.string()),
})

/** `renew` and `done` carry the lease's token as `authorization: Bearer <token>`; the others are signed. */
export const CALLS = {
  notice: { path: '', body: NOTICE, answer: v.object({ waiting: v.number() }) },
  claim: {
    path: '/claim',
    /** `have`: `upTo` of the claim whose sellers this builder's state has; `null` for none. */
    body: v.strictObject({
      token: v.pipe(v.string(), v.regex(TOKEN)),
      builder: NAME,
      have: v.nullable(SEQUENCE),
    }),
    answer: v.union([
      v.object({ upTo: v.number(), ...LEASE, full: v.literal(true) }),
      v.object({ upTo: v.number(), ...LEASE, sellers: v.array(v.string()) }),
      // With status 409.
      v.object({ busy: v.string() }),
      v.object({ held: v.string() }),
    ]),
  },
  renew: { path: '/renew', body: v.strictObject({}), answer: v.object(LEASE) },
  done: {
    path: '/done',
    /** `upTo`: that of the claim. `marker`: the run that is live. `failed`: all failed sellers of the builder's state. */
    body: v.union([
      v.strictObject({ upTo: SEQUENCE, marker: NAME, failed: FAILED }),
      v.strictObject({ error: REASON }),
    ]),
    answer: v.object({ waiting: v.number() }),
  },
  hold: {
    path: '/hold',
    body: v.union([v.strictObject({ reason: REASON }), v.strictObject({ release: v.literal(true) })]),
    /** End of the lease that still runs. */
    answer: v.object({ until: v.nullable(v.string()) }),
  },
  status: { path: '/status', body: v.strictObject({}), answer: STATUS },
} as const

type Calls = typeof CALLS
export type CallName = keyof Calls
export type CallBody<Name extends CallName> = v.InferOutput<Calls[Name]['body']>
export type SentCall<Name extends CallName> = v.InferInput<Calls[Name]['body']>
export type CallAnswer<Name extends CallName> = v.InferOutput<Calls[Name]['answer']>

/** Returns `null` for a body of another shape. */
export function parseCall<Name extends CallName>(name: Name, body: unknown): CallBody<Name> | null {
  return parseRecord(CALLS[name].body, body) as CallBody<Name> | null
}

export function parseCallAnswer<Name extends CallName>(name: Name, body: unknown): CallAnswer<Name> | null {
  return parseRecord(CALLS[name].answer, body) as CallAnswer<Name> | null
}

function parseRecord(schema: v.GenericSchema, value: unknown): unknown {
  // Rejects an array, which valibot would accept as an object without fields.
  if (!isRecord(value)) return null
  const result = v.safeParse(schema, value, { abortEarly: true })
  return result.success ? result.output : null
}

/** Returns the token of the header `authorization`; `null` for none. */
export function parseToken(header: string | null): string | null {
  const token = /^Bearer (\S+)$/.exec(header ?? '')?.[1] ?? ''
  return TOKEN.test(token) ? token : null
}
