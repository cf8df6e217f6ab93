/** Formats a time in milliseconds as RFC 3339, in UTC. */
export function formatInstant(time: number): string
export function formatInstant(time: number | null): string | null
export function formatInstant(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}
