/** Formats times, ratios and sizes for people. */

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
