/** Reads the Worker's variable that sets how long pages are fresh. */

/** Bounds and default of the variable, in seconds. */
const AGE = { least: 1, most: 60, usual: 5 }

/**
 * Returns how long a page is fresh, in ms. A value out of bounds is replaced by the nearest bound; a missing value, or
 * one that is not a number, by the default.
 */
export function readMaxAge(seconds: string | undefined): number {
  const age = seconds === undefined || seconds === '' ? AGE.usual : Number(seconds)
  return 1_000 * (Number.isNaN(age) ? AGE.usual : Math.min(Math.max(age, AGE.least), AGE.most))
}
