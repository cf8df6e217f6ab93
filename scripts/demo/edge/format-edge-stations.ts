/** Formats the stations of all edits of a site of objects. Pure. */
import type { StationRows } from '../format-table.ts'
import { formatTable } from '../format-table.ts'
import type { EdgeStations } from './follow-sql-edit.ts'

const ROWS: StationRows<keyof EdgeStations> = [
  ['edited', 'the statement has ended: the database has the new price'],
  ['noticed', 'the builder has read what changed, and asks for the tag of the object'],
  ['pushed', 'it has read the seller again, after the tag, and pushes her data'],
  ['stored', 'the Worker has rendered the page and put the object'],
  ['served', 'a visitor is served the new price'],
]

export function formatEdgeStations(all: readonly EdgeStations[]): string {
  return [
    ...formatTable(ROWS, all),
    '',
    `Milliseconds after the SQL statement began; medians of ${all.length} edits. All on this machine: rebuild --watch --deploy,`,
    'and the Worker with its objects, queue and coordinator. The visitor asks every 5 ms.',
  ].join('\n')
}
