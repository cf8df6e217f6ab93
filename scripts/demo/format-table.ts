/** Formats the times of all edits as a table: a row for each station. Pure. */
import { formatCount } from '../measure/format-figures.ts'
import { findMedian } from '../measure/times.ts'

/** A station's name and what has happened there, in the order of the stations. */
export type StationRows<Name extends string> = readonly (readonly [name: Name, words: string])[]

const NAME_WIDTH = 12
const TIME_WIDTH = 9

/** Times are in milliseconds since the edit. Returns a heading and a line for each row. */
export function formatTable<Name extends string>(
  rows: StationRows<Name>,
  all: readonly Readonly<Record<Name, number>>[],
): readonly string[] {
  const lines = rows.map(([name, words], index) => {
    const times = all.map((one) => one[name])
    const before = rows[index - 1]?.[0]
    const steps = all.map((one) => one[name] - (before === undefined ? 0 : one[before]))
    const figures = [findMedian(steps), findMedian(times), Math.max(...times)]
    return [
      name.padEnd(NAME_WIDTH),
      ...figures.map((ms) => formatTime(ms).padStart(TIME_WIDTH)),
      `  ${words}`,
    ].join('')
  })
  const heading = ['step', 'in all', 'slowest'].map((word) => word.padStart(TIME_WIDTH))
  return ['station'.padEnd(NAME_WIDTH) + heading.join(''), ...lines]
}

export function formatTime(ms: number): string {
  return formatCount(Math.round(ms))
}
