/** Limits on fetching one photo: time and size. */

export interface FetchLimits {
  /** Max time to fetch one photo, in milliseconds, redirects included. */
  readonly time: number
  readonly bytes: number
}

export const FETCH_LIMITS: FetchLimits = { time: 10_000, bytes: 24 * 1024 * 1024 }
