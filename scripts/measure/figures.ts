/** Measures work by the clock, in milliseconds, and formats times, ratios and sizes for people. */

export async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Returns the median: for an even number of values, the mean of the two middle ones; for no values, `NaN`. */
export function findMedian(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/**
 * Returns the percentile by nearest rank: with `share` 0.95, the smallest value that at least 95 % of the values do not
 * exceed. `NaN` for no values.
 */
export function findPercentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

/** Usually with three significant digits: `172 ms`, `9.05 s`, `113 s`. */
export function formatMeasured(ms: number): string {
  return ms < 999.5 ? `${trim(ms)} ms` : `${trim(ms / 1000)} s`
}

/** A ratio from 1 to 999 has three significant digits: `6.91 ×`, `68.2 ×`, `172 ×`. */
export function formatRatio(ratio: number): string {
  return `${trim(ratio)} ×`
}

/** In MB of 2^20 bytes. */
export function formatMemory(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MB`
}

function trim(value: number): string {
  if (value >= 99.95) return value.toFixed(0)
  return value.toFixed(value >= 9.995 ? 1 : 2)
}
