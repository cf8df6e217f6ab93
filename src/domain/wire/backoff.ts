/** Growing, jittered delays between tries. */

/** Doubles each time, from the first to the longest. */
export interface Delay {
  readonly first: number
  readonly longest: number
}

/** The delay before the try after so many failed ones; `random` from 0 to 1 spreads it by a quarter either way. */
export function growDelay({ first, longest }: Delay, failures: number, random: number): number {
  const delay = Math.min(longest, first * 2 ** Math.min(Math.max(failures, 1) - 1, 30))
  return Math.round(delay * (0.75 + random / 2))
}
