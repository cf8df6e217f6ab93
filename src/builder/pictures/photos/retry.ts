/** When a photo is looked at again, in milliseconds from now. */

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** Less than a day, so that a run every night finds every photo due. */
export const REVALIDATE_AFTER = 20 * 60 * MINUTE

/** Ten minutes after the first failure, twice as long after each other one, a week at most. */
export function findRetryDelay(failures: number): number {
  return Math.min(10 * MINUTE * 2 ** (failures - 1), 7 * DAY)
}
