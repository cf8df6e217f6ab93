/** Delays until a photo is tried or revalidated, in milliseconds. */

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** Less than a day, so that every photo is due in each nightly run. */
export const REVALIDATE_AFTER = 20 * 60 * MINUTE

/** 10 minutes after the first failure, doubled after each further one, at most a week. */
export function findRetryDelay(failures: number): number {
  return Math.min(10 * MINUTE * 2 ** (failures - 1), 7 * DAY)
}
