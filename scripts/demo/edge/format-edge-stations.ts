/** Formats the stations of all edits as a table. Pure. */
import { formatCount } from '../../measure/format-figures.ts'
import { findMedian } from '../../measure/median.ts'
import type { EdgeStations } from './follow-sql-edit.ts'

const ROWS: readonly (readonly [keyof EdgeStations, string])[] = [
  ['edited', 'the statement has ended: the database has the new price'],
  ['noticed', 'the builder has read what changed, and asks for the tag of the object'],
  ['pushed', 'it has read the seller again, after the tag, and pushes her data'],
  ['stored', 'the Worker has rendered the page and put the object'],
  ['served', 'a visitor is served the new price'],
]

export function formatEdgeStations(all: readonly EdgeStations[]): string {
  const lines = ROWS.map(([name, words], index) => {
    const times = all.map((one) => one[name])
    const before = ROWS[index - 1]?.[0]
    const steps = all.map((one) => one[name] - (before === undefined ? 0 : one[before]))
    return [
      name.padEnd(12),
      ...[findMedian(steps), findMedian(times), Math.max(...times)].map(format),
      `  ${words}`,
    ].join('')
  })
  const heading = ['station'.padEnd(12), ...['step', 'in all', 'slowest'].map((word) => word.padStart(9))]
  return [
    heading.join(''),
    ...lines,
    '',
    `Milliseconds after the SQL statement began; medians of ${all.length} edits. All on this machine: rebuild --watch --deploy,`,
    'and the Worker with its objects, queue and coordinator. The visitor asks every 5 ms.',
  ].join('\n')
}

function format(ms: number): string {
  return formatCount(Math.round(ms)).padStart(9)
}
