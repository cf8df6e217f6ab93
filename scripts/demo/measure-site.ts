/** Makes edits on a site one after another, and formats their times as a table. */
import { formatNumber } from '../../src/builder/format-numbers.ts'
import { formatTable } from '../measure/format-table.ts'
import { findMedian, rejectAtEnd } from '../measure/times.ts'
import type { EditedSite, StationRow, Stations } from './follow-edit.ts'
import { followEdit } from './follow-edit.ts'

interface EditOptions {
  readonly edits: number
  /** Price of the first edit. It must be higher than any price of the sample, so that no earlier page shows it. */
  readonly firstPrice: number
  readonly progress: (text: string) => void
  readonly end: AbortSignal
}

interface MeasuredEdits {
  /** A heading line, then a line for each station. */
  readonly table: readonly string[]
  /** Median milliseconds from the edit to the visitor. */
  readonly served: number
}

export type OpenSite = (progress: (text: string) => void) => Promise<EditedSite & { close(): Promise<void> }>

/**
 * Opens the site, measures the edits, and closes the site. Rejects when `end` aborts or a watched process of the site
 * ends.
 */
export async function measureSite(open: OpenSite, options: EditOptions): Promise<MeasuredEdits> {
  const site = await open(options.progress)
  const { failed = new Promise<never>(() => {}), stations } = site
  try {
    const all = await Promise.race([makeEdits(site, options), failed, rejectAtEnd(options.end)])
    return { table: formatStations(stations, all), served: findMedian(all.map(({ served = NaN }) => served)) }
  } finally {
    await site.close()
  }
}

async function makeEdits(
  site: EditedSite,
  { edits, firstPrice, progress }: EditOptions,
): Promise<readonly Stations[]> {
  const all: Stations[] = []
  // The first edit is not counted, because it loads modules.
  await followEdit(firstPrice, site)
  for (let count = 1; count <= edits; count += 1) {
    progress(`${count} of ${edits} edits`)
    all.push(await followEdit(firstPrice + count, site))
  }
  return all
}

function formatStations(stations: readonly StationRow[], all: readonly Stations[]): readonly string[] {
  const rows = stations.map(([name, , words], index) => {
    const before = stations[index - 1]?.[0] ?? ''
    const times = all.map((one) => one[name] ?? NaN)
    const steps = all.map((one) => (one[name] ?? NaN) - (one[before] ?? 0))
    const figures = [findMedian(steps), findMedian(times), Math.max(...times)]
    return [name, ...figures.map((ms) => formatNumber(Math.round(ms))), words]
  })
  const heading = ['station', 'step', 'total', 'slowest', '']
  return formatTable([heading, ...rows], (column) => column > 0 && column < 4)
}
