/** The coordinator's status for the maintainer. Times are RFC 3339, durations milliseconds. */
import type { InferOutput } from 'valibot'
import { array, boolean, nullable, number, object, string } from 'valibot'

const TIME = string()

export const STATUS = object({
  now: TIME,
  /** Number of distinct pending sellers. */
  pending: number(),
  /** Whether a full read is pending. */
  full: boolean(),
  /** Arrival of the oldest unpublished change. */
  oldest: nullable(TIME),
  /** Sequence of the last change, and of the last published one. */
  sequence: number(),
  published: number(),
  running: nullable(object({ builder: string(), full: boolean(), since: TIME, until: TIME })),
  /** Whether changes are pending that no build has claimed. */
  waiting: boolean(),
  result: nullable(
    object({ at: TIME, ms: number(), full: boolean(), failed: number(), error: nullable(string()) }),
  ),
  /** Consecutive builds that published nothing. */
  setbacks: number(),
  failed: number(),
  /** At most 100 of them. */
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
    /** A version that may be live instead: its publisher never reported the outcome. */
    doubtful: nullable(string()),
    held: nullable(object({ since: TIME, reason: string() })),
  }),
  /** Invalid settings of the Worker. */
  problems: array(string()),
})

export type Status = InferOutput<typeof STATUS>
