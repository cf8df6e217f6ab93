/** Computes the delay before a retry: exponential backoff with jitter, or the pause that a response requests. */

/** Bounds of a delay that doubles with each failure, before jitter, in milliseconds. */
export interface Delay {
  readonly first: number
  readonly longest: number
}

/** Returns the delay after `failures` failures. `random`, from 0 to 1, adds a jitter of ±25 %. */
export function growDelay({ first, longest }: Delay, failures: number, random: number): number {
  const delay = Math.min(longest, first * 2 ** Math.min(Math.max(failures, 1) - 1, 30))
  return Math.round(delay * (0.75 + random / 2))
}

/**
 * Parses the header `retry-after`, seconds or a date. Returns the pause in milliseconds; `null` if the header is absent
 * or malformed.
 */
export function parseRetryAfter(value: string | null, now: number): number | null {
  if (value === null || value === '') return null
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}
