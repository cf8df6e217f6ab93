/** Formats the report as a table. Pure. */
import { MEMORY_METHOD } from '../measure/process-tree.ts'
import type { BenchReport, BenchRow } from './bench-report.ts'
import { formatCount, formatMemory, formatTime } from '../measure/format-figures.ts'

const HEADINGS = ['', 'time', 'compared', 'peak memory', 'budget', '']
const TO_THE_RIGHT = [1, 3]

export function formatBenchReport(report: BenchReport): string {
  const cells = [HEADINGS, ...report.rows.map(formatCells)]
  const widths = HEADINGS.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  const lines = cells.map((row) => formatLine(row, widths))
  const [heading = '', ...rest] = lines
  const body = report.rows.flatMap((row, index) => {
    const isFirst = report.rows[index - 1]?.section !== row.section
    return [...(isFirst ? ['', row.section] : []), rest[index] ?? '']
  })
  return [...formatMachine(report), '', heading, ...body, '', ...formatNotes(report)].join('\n')
}

function formatCells({ label, ms, compared, peak, budget }: BenchRow): readonly string[] {
  const kept = budget === null ? '' : budget.isKept ? 'ok' : 'over'
  const memory = peak === null ? '' : formatMemory(peak)
  return [`  ${label}`, formatTime(ms), compared, memory, budget?.text ?? '', kept]
}

function formatLine(cells: readonly string[], widths: readonly number[]): string {
  const padded = cells.map((cell, column) => {
    const width = widths[column] ?? 0
    return TO_THE_RIGHT.includes(column) ? cell.padStart(width) : cell.padEnd(width)
  })
  return padded.join('  ').trimEnd()
}

function formatMachine({ machine, settings }: BenchReport): readonly string[] {
  const { processor, cores, memory, node } = machine
  const quick = settings.isQuick ? ['A quick look at few sellers: budgets are for orientation.'] : []
  return [`${processor}, ${cores} cores, ${formatMemory(memory)}, Node ${node}`, ...quick]
}

function formatNotes({ rows, likeness }: BenchReport): readonly string[] {
  const runs = (id: BenchRow['id']): number => rows.find((row) => row.id === id)?.runs ?? 0
  return [
    `Times are whole processes by the wall clock, without npm; medians of ${runs('one-middle')} runs, of ${runs('astro')} where all pages of many sellers are made, one at the largest size.`,
    `Peak memory: ${MEMORY_METHOD}.`,
    ...Object.entries(likeness).map(([name, { compared, sameText, sameBytes, size }]) => {
      const words = [
        `${formatCount(sameText)} of ${formatCount(compared)} pages have our text`,
        `${formatCount(sameBytes)} our bytes`,
        `size ${(size * 100).toFixed(2)} % of ours`,
      ]
      return `Pages of ${name}: ${words.join(', ')}.`
    }),
  ]
}
