/** Formats the stations of all written documents of a site without a builder. Pure. */
import type { StationRows } from '../format-table.ts'
import { formatTable } from '../format-table.ts'
import type { DocumentStations } from './follow-document.ts'

const ROWS: StationRows<keyof DocumentStations> = [
  ['written', 'Firestore has the new price'],
  ['noticed', "the coordinator has stored the trigger's notice"],
  ['asked', 'the quiet period is over, the queue has delivered, and the Worker begins to read the seller'],
  ['read', 'the Worker has her documents'],
  ['served', 'the page is rendered and put, and a visitor is served the new price'],
]

export function formatDocumentStations(all: readonly DocumentStations[], quiet: number): string {
  return [
    ...formatTable(ROWS, all),
    '',
    `Milliseconds after the write began; medians of ${all.length} edits, with a quiet period of ${quiet} ms. No builder runs: the`,
    'Worker reads Firestore, renders and puts. The visitor asks every 5 ms.',
  ].join('\n')
}
