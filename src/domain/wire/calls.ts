/**
 * The calls to a site's coordinator. Times are RFC 3339. A body with unknown fields is malformed, so that a captured
 * call cannot be replayed at the address of another call.
 */
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
  object,
  optional,
  picklist,
  pipe,
  safeInteger,
  strictObject,
  string,
  transform,
  union,
} from 'valibot'
import type { Answer, CallTable, ParsedBody } from './call.ts'
import { COORDINATOR_LIMITS } from './call.ts'
import { STATUS } from './coordinator-status.ts'
import { NOTICE } from './notice.ts'

/** Max failed sellers in a report. A build with more is reported as failed. */
export const MAX_FAILED = 500
/**
 * Max strangers in the answer to a claim: sellers that may not exist, so that the builder has to look them up. A report
 * names them by number, which takes up to half of its body.
 */
export const MAX_STRANGERS = 4_000
/** Max length of a reason, and of a caller's name, in UTF-16 units; longer ones are cut. */
export const MAX_REASON = 200

// Firestore limits document ids to 1,500 bytes. An id never has more UTF-16 units than bytes.
const ID = pipe(string(), minLength(1), maxLength(1_500))
const NAME = pipe(string(), minLength(1), maxLength(200))
const TIME = pipe(string(), maxLength(40))
const DATE = pipe(
  TIME,
  check((text) => !Number.isNaN(Date.parse(text))),
)
const SEQUENCE = pipe(number(), safeInteger(), minValue(0), maxValue(Number.MAX_SAFE_INTEGER))
const REASON = pipe(
  string(),
  transform((text) => text.slice(0, MAX_REASON).toWellFormed()),
)
/** The caller: a person and machine, or a run of a workflow; `null` if the call does not name it. */
const BY = nullish(REASON, null)

const NUMBERS = pipe(array(SEQUENCE), maxLength(MAX_STRANGERS))
const PUBLISHED_REPORT = strictObject({
  lease: NAME,
  /** `upTo` of the claim's answer. */
  upTo: SEQUENCE,
  failed: pipe(array(strictObject({ seller: ID, reason: REASON })), maxLength(MAX_FAILED)),
  /** Number of pictures that are still to be made; absent if the builder does not report it. */
  photos: optional(SEQUENCE),
  /** Numbers of the claim's strangers: `known` are those that the source has, `absent` those that it does not have. */
  strangers: optional(strictObject({ known: NUMBERS, absent: NUMBERS })),
})
const FAILED_REPORT = strictObject({ lease: NAME, error: REASON })

const GRANTED = {
  lease: string(),
  upTo: number(),
  until: string(),
  /**
   * Sellers that notices named but that may not exist. The builder reports which of them exist. Absent if there are
   * none.
   */
  strangers: optional(array(object({ number: number(), seller: string() }))),
}
/**
 * `held`: publishing is held, for example after a rollback. `busy`: another publish runs. `older`: the version to
 * publish is not known to be newer than the live version.
 */
const REFUSED = object({ refused: picklist(['held', 'busy', 'older']), reason: string() })

const BUILDERS = { opens: 'builders', limits: COORDINATOR_LIMITS } as const
/**
 * For claims of a build and for calls that need a lease. A 409 response means that the lease has expired, belongs to
 * another caller, or was overruled by a version that was put live without a lease.
 */
const LEASED = { ...BUILDERS, conflict: 'the lease has expired or belongs to another caller' } as const

export const COORDINATOR_CALLS = {
  /** Reports changed sellers, or requests a full read. */
  notify: {
    path: '',
    opens: 'notices',
    limits: COORDINATOR_LIMITS,
    body: NOTICE,
    /**
     * `accepted`: number of changes in this delivery, 0 for a redelivery. `pending`: number of distinct sellers whose
     * changes are not live. `ignored`: number of sellers that cannot have a page; absent for none.
     */
    answer: object({ accepted: number(), pending: number(), ignored: optional(number()) }),
  },
  /**
   * `have`: the sequence up to which the builder's state has all changes; `null` for none. A repeated claim by the
   * builder that holds the lease returns the same lease.
   */
  claim: {
    ...LEASED,
    path: '/claim',
    body: strictObject({ builder: NAME, have: nullish(SEQUENCE, null) }),
    answer: union([
      object({ ...GRANTED, full: literal(true) }),
      object({ ...GRANTED, sellers: array(string()) }),
    ]),
  },
  renew: {
    ...LEASED,
    path: '/renew',
    body: strictObject({ lease: NAME }),
    answer: object({ until: string() }),
  },
  /** Reports the end of a build: what it published and what failed, or why it published nothing. */
  report: {
    ...LEASED,
    path: '/done',
    body: union([PUBLISHED_REPORT, FAILED_REPORT]),
    /** `pending`: number of distinct sellers who wait for a builder. */
    answer: object({ pending: number() }),
  },
  status: {
    ...BUILDERS,
    path: '/status',
    /** Whether the answer includes the audit log. */
    body: strictObject({ log: optional(literal(true)) }),
    answer: STATUS,
  },
  publish: {
    ...BUILDERS,
    path: '/publish',
    /**
     * `sequence`: sequence of the state that the uploaded version was built from; 0 if the state has none. `base`: the
     * version that was last published from the same state.
     */
    body: strictObject({ version: NAME, sequence: SEQUENCE, base: nullish(NAME, null), by: BY }),
    /** `lasts`: duration of the lease, in milliseconds. */
    answer: union([object({ lease: string(), lasts: number() }), REFUSED]),
  },
  published: {
    ...LEASED,
    path: '/published',
    /** `isLive` is `null` when the outcome is unknown. */
    body: strictObject({ lease: NAME, isLive: nullable(boolean()), by: BY }),
    answer: object({}),
  },
  hold: {
    ...BUILDERS,
    path: '/hold',
    /**
     * `live`: the live version to record, such as the one that a rollback has put live; `null` to only hold publishing.
     */
    body: strictObject({
      reason: REASON,
      live: nullish(strictObject({ version: NAME, sequence: SEQUENCE }), null),
      by: BY,
    }),
    /** End of the publish lease granted before the hold; `null` without one. */
    answer: object({ busyUntil: nullable(string()) }),
  },
  release: {
    ...BUILDERS,
    path: '/release',
    // Not an empty object: a captured status call, replayed against this path, must not release the hold.
    body: strictObject({ release: literal(true), by: BY }),
    answer: object({}),
  },
  /** Reports a version that was put live without a lease. */
  forced: {
    ...BUILDERS,
    path: '/forced',
    body: strictObject({
      version: NAME,
      sequence: SEQUENCE,
      reason: REASON,
      by: BY,
      /** When the version went live; `null` means the time of the report. */
      at: nullish(DATE, null),
    }),
    answer: object({}),
  },
} as const satisfies CallTable

type Table = typeof COORDINATOR_CALLS

export type NoticeAnswer = Answer<Table['notify']> & {
  /** True if nothing was stored, because notices named too many new sellers within a minute. Absent otherwise. */
  readonly isTooMuch?: true
}
/** `newLease`: id of the new lease, if one is granted. */
export type Claim = ParsedBody<Table['claim']> & { readonly newLease: string }
export type ClaimAnswer = Answer<Table['claim']>
export type Stranger = NonNullable<ClaimAnswer['strangers']>[number]
export type RenewAnswer = Answer<Table['renew']>
export type BuildReport = ParsedBody<Table['report']>
export type MetStrangers = NonNullable<Extract<BuildReport, { upTo: number }>['strangers']>
export type ReportAnswer = Answer<Table['report']>
export type PublishCall = ParsedBody<Table['publish']> & { readonly newLease: string }
export type PublishAnswer = Answer<Table['publish']>
export type Refusal = Extract<PublishAnswer, { refused: string }>['refused']
export type PublishEnd = ParsedBody<Table['published']>
export type HoldBody = ParsedBody<Table['hold']>
export type HoldAnswer = Answer<Table['hold']>
export type ReleaseBody = Pick<ParsedBody<Table['release']>, 'by'>
export type Forced = ParsedBody<Table['forced']>
export type Caller = Forced['by']
