/** Formats counts and times for messages. */

/** Returns e.g. `1,234`. Does not use `Intl`, because its first call takes longer than rendering a page. */
export function formatNumber(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** Returns e.g. `1 seller` or `1,234 sellers`. */
export function formatCount(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatNumber(count)} ${count === 1 ? noun : plural}`
}

const UNITS = [
  [24 * 60 * 60_000, 'd'],
  [60 * 60_000, 'h'],
  [60_000, 'min'],
] as const

/** Formats a span of time in one rounded unit, e.g. `90 s`, `5 min` or `3 d`. */
function formatSpan(ms: number): string {
  const [size, unit] = UNITS.find(([least]) => ms >= 2 * least) ?? [1_000, 's']
  return `${Math.round(ms / size)} ${unit}`
}

/**
 * Formats the time since `time`. Both arguments are times in RFC 3339. Returns `0 s` if `time` is in the future or
 * `null`.
 */
export function formatAge(now: string, time: string | null): string {
  return formatSpan(time === null ? 0 : Math.max(0, Date.parse(now) - Date.parse(time)))
}
