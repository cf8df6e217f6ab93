/** Formats the stations of all edits of a site of files. Pure. */
import { findMedian } from '../measure/times.ts'
import type { Stations } from './edit.ts'
import type { StationRows } from './format-table.ts'
import { formatTable, formatTime } from './format-table.ts'

const ROWS: StationRows<keyof Stations> = [
  ['written', 'Firestore has the new price'],
  ['noticed', 'the Worker has stored the notice'],
  ['dispatched', 'the builder is asked, after the quiet period'],
  ['rendered', 'the page is in its place'],
  ['served', 'a visitor is served the new price'],
]

export function formatStations(all: readonly Stations[]): string {
  const renewed = formatTime(findMedian(all.map((one) => one.renewed)))
  return [
    ...formatTable(ROWS, all),
    '',
    `Milliseconds after the write began; medians of ${all.length} edits. A browser that asks again with the page it has`,
    `is given the new one after ${renewed}: the local runtime restarts to list its files anew, the edge does not.`,
  ].join('\n')
}
