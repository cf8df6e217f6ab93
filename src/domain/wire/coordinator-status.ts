/** How the coordinator stands, as the maintainer asks for it. Times are RFC 3339, durations milliseconds. */
import type { InferOutput } from 'valibot'
import { array, boolean, nullable, number, object, string } from 'valibot'

const TIME = string()

export const STATUS = object({
  now: TIME,
  /** Distinct sellers that wait. */
  pending: number(),
  /** Whether a full read waits. */
  full: boolean(),
  /** The oldest change that is not published. */
  oldest: nullable(TIME),
  /** Of the last change, and of the last one published. */
  sequence: number(),
  published: number(),
  running: nullable(object({ builder: string(), full: boolean(), since: TIME, until: TIME })),
  /** Whether there is a build to come after the running one, or because none is running. */
  waiting: boolean(),
  result: nullable(
    object({ at: TIME, ms: number(), full: boolean(), failed: number(), error: nullable(string()) }),
  ),
  /** Builds in a row that came to nothing. */
  setbacks: number(),
  failed: number(),
  /** The first of them. */
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
    /** What may be live instead: its publisher was not heard of any more. */
    doubtful: nullable(string()),
    held: nullable(object({ since: TIME, reason: string() })),
  }),
  /** Settings of the Worker that are wrong. */
  problems: array(string()),
})

export type Status = InferOutput<typeof STATUS>
