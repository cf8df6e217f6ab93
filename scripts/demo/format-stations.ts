/** Formats the stations of all edits as a table. Pure. */
import { formatCount } from '../measure/format-figures.ts'
import { findMedian } from '../measure/median.ts'
import type { Stations } from './edit.ts'

const ROWS: readonly (readonly [keyof Stations, string])[] = [
  ['written', 'Firestore has the new price'],
  ['noticed', 'the Worker has stored the notice'],
  ['dispatched', 'the builder is asked, after the quiet period'],
  ['rendered', 'the page is in its place'],
  ['served', 'a visitor is served the new price'],
]

export function formatStations(all: readonly Stations[]): string {
  const lines = ROWS.map(([name, words], index) => {
    const times = all.map((one) => one[name])
    const before = ROWS[index - 1]?.[0]
    const steps = all.map((one) => one[name] - (before === undefined ? 0 : one[before]))
    return [
      name.padEnd(12),
      ...[findMedian(steps), findMedian(times), Math.max(...times)].map(format),
      `  ${words}`,
    ]
  })
  const heading = ['station'.padEnd(12), ...['step', 'in all', 'slowest'].map((word) => word.padStart(9))]
  const renewed = format(findMedian(all.map((one) => one.renewed))).trim()
  return [
    heading.join(''),
    ...lines.map((cells) => cells.join('')),
    '',
    `Milliseconds after the write began; medians of ${all.length} edits. A browser that asks again with the page it has`,
    `is given the new one after ${renewed}: the local runtime restarts to list its files anew, the edge does not.`,
  ].join('\n')
}

function format(ms: number): string {
  return formatCount(Math.round(ms)).padStart(9)
}
