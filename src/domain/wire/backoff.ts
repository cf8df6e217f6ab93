/** Exponential backoff with jitter. */

/** Bounds of a delay that doubles with each failure. In milliseconds. */
export interface Delay {
  readonly first: number
  readonly longest: number
}

/** Returns the delay after `failures` failures. `random`, from 0 to 1, adds a jitter of ±25 %. */
export function growDelay({ first, longest }: Delay, failures: number, random: number): number {
  const delay = Math.min(longest, first * 2 ** Math.min(Math.max(failures, 1) - 1, 30))
  return Math.round(delay * (0.75 + random / 2))
}
