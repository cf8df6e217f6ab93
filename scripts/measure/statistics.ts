/** Medians, and numbers as people read them. */

/** Of an even number of values the mean of the two in the middle; `NaN` of none. */
export function findMedian(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** Three digits that matter: `172 ms`, `9.05 s`, `113 s`. */
export function formatTime(ms: number): string {
  return ms < 999.5 ? `${trim(ms)} ms` : `${trim(ms / 1000)} s`
}

/** `6.91 ×`, `68 ×`. */
export function formatRatio(ratio: number): string {
  return `${trim(ratio)} ×`
}

/** In MB of 2^20 bytes. */
export function formatMemory(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MB`
}

export function formatCount(count: number): string {
  return count.toLocaleString('en')
}

function trim(value: number): string {
  if (value >= 99.95) return value.toFixed(0)
  return value.toFixed(value >= 9.995 ? 1 : 2)
}
