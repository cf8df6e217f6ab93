/** Percentiles of measurements. */

/** By the nearest rank: `share` 0.95 returns the value that 95 % of all do not exceed; `NaN` for no values. */
export function findPercentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}
