/** Formats counts and times for all commands. */

/** `1,234`. Does not use `Intl`, whose first number takes longer than rendering a page. */
export function formatNumber(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** `1 seller`, `1,234 sellers` */
export function formatCount(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatNumber(count)} ${count === 1 ? noun : plural}`
}

/** A measured time: `12 ms`, `1.2 s` */
export function formatTime(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}

const UNITS = [
  [24 * 60 * 60_000, 'd'],
  [60 * 60_000, 'h'],
  [60_000, 'min'],
] as const

/** A span of time in one unit: `90 s`, `5 min`, `3 d` */
export function formatSpan(ms: number): string {
  const [size, unit] = UNITS.find(([least]) => ms >= 2 * least) ?? [1_000, 's']
  return `${Math.round(ms / size)} ${unit}`
}
