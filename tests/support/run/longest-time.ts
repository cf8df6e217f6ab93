/** Limits of time that no test is meant to reach. */

/** The longest time of a timer, in milliseconds: whatever takes so long has ended its test long before. */
export const LONGEST_TIME = 2 ** 31 - 1
