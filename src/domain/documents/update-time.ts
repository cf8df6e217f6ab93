/** Validates the update times of documents and converts them to one format. */

const RFC_3339 =
  /^(\d{4}-\d\d-(\d\d))T((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(\.\d{1,9})?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i
// The format of SQLite's `CURRENT_TIMESTAMP`, which is in UTC.
const SQLITE = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d{1,9})?)$/

// Fast path for most times: those already in the result's format, on a day that every month has.
const USUAL = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/

/**
 * Returns UTC with at least three decimals of a second, so that times of equal precision sort as text; empty for no
 * time, `null` for an invalid one.
 */
export function formatUpdateTime(text: string | null): string | null {
  if (text === null || text === '') return ''
  if (USUAL.test(text)) return text
  const [, date, day, clock, fraction = '', offset = ''] = RFC_3339.exec(text.replace(SQLITE, '$1T$2Z')) ?? []
  // Rejects a day that its month does not have: `Date` would turn 30 February into a day in March.
  if (new Date(`${date}T00:00:00Z`).getUTCDate() !== Number(day)) return null
  const utc = new Date(`${date}T${clock}${offset.toUpperCase()}`).toISOString()
  // Rejects a time whose year does not have four digits after conversion to UTC.
  if (utc.length !== 24) return null
  return `${utc.slice(0, 19)}${fraction === '' ? '.000' : fraction.padEnd(4, '0')}Z`
}
