/** The coordinator's status for the maintainer. Times are RFC 3339, durations milliseconds. */
import type { InferOutput } from 'valibot'
import { array, boolean, nullable, nullish, number, object, picklist, string } from 'valibot'
import type { Frozen } from './call.ts'

const TIME = string()

/**
 * Both `held` and `rolled-back` start a hold. `rolled-back` also records a live version: that of a rollback, or one
 * that was put live at the host by hand.
 */
const ACTIONS = ['published', 'held', 'released', 'rolled-back', 'forced'] as const

export type Action = (typeof ACTIONS)[number]

/** An entry of the audit log. */
const ENTRY = object({
  at: TIME,
  action: picklist(ACTIONS),
  by: nullish(string(), null),
  version: nullish(string(), null),
  reason: nullish(string(), null),
})

export type LogEntry = InferOutput<typeof ENTRY>

// Fields are `nullish` here if a coordinator of an earlier release lacks them.

export const STATUS = object({
  now: TIME,
  /** Number of distinct pending sellers. */
  pending: number(),
  /** Whether a full read is pending. */
  full: boolean(),
  /** Arrival of the oldest change that is not live; `null` for none. */
  oldest: nullable(TIME),
  /**
   * `sequence`: that of the last notice or claim. `published`: the sequence up to which every change is published,
   * except those of failed sellers.
   */
  sequence: number(),
  published: number(),
  running: nullable(object({ builder: string(), full: boolean(), since: TIME, until: TIME })),
  /**
   * True if a build is wanted: for changes that no build has claimed, after a failed build, or because the live version
   * may lack changes.
   */
  waiting: boolean(),
  result: nullable(
    object({ at: TIME, ms: number(), full: boolean(), failed: number(), error: nullable(string()) }),
  ),
  /** Number of consecutive builds that published nothing. */
  setbacks: number(),
  failed: number(),
  /** At most 100 of the failed sellers. */
  failures: array(
    object({ seller: string(), reason: string(), attempts: number(), since: TIME, next: TIME }),
  ),
  dispatch: object({
    target: nullable(string()),
    sent: nullable(TIME),
    next: nullable(TIME),
    tries: number(),
    error: nullable(object({ at: TIME, reason: string() })),
  }),
  publishing: object({
    live: nullable(object({ version: string(), sequence: number(), at: TIME })),
    /** A version that may be live instead of `live`, because the outcome of its publish is unknown; `null` for none. */
    doubtful: nullable(string()),
    /** The version that a publisher is putting live now; `null` for none. */
    leased: nullish(string(), null),
    held: nullable(object({ since: TIME, reason: string() })),
  }),
  /** Arrival of the last notice that named sellers; `null` for none. */
  lastNotice: nullish(TIME, null),
  /** When the last full read was published; `null` for never. */
  lastFull: nullish(TIME, null),
  /** Number of pictures still to be made, from the last build that reported it; `null` if none has. */
  photos: nullish(number(), null),
  /** The last 200 entries, newest first; only in the answer to a call that asks for them. */
  log: nullish(array(ENTRY), null),
  /** Descriptions of the Worker's settings that are invalid, missing or unsafe. */
  problems: array(string()),
})

export type Status = Frozen<InferOutput<typeof STATUS>>
