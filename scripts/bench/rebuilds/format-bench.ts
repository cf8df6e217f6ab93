/** Formats the report as a table. Pure. */
import { formatNumber } from '../../../src/builder/format-numbers.ts'
import { MEMORY_METHOD } from '../../measure/process-tree.ts'
import type { BenchReport, BenchRow } from './bench-report.ts'
import { formatMemory, formatMeasured } from '../../measure/format-figures.ts'

const HEADINGS = ['', 'time', 'compared', 'peak memory', 'budget', '']
const isRight = (column: number): boolean => column === 1 || column === 3

export function formatBenchReport(report: BenchReport): string {
  const [heading = '', ...rest] = alignColumns([HEADINGS, ...report.rows.map(formatCells)])
  const body = report.rows.flatMap((row, index) => {
    const isFirst = report.rows[index - 1]?.section !== row.section
    return [...(isFirst ? ['', row.section] : []), rest[index] ?? '']
  })
  return [...formatMachine(report), '', heading, ...body, '', ...formatNotes(report)].join('\n')
}

function formatCells({ label, ms, compared, peak, budget }: BenchRow): readonly string[] {
  const kept = budget === null ? '' : budget.isKept ? 'ok' : 'over'
  const memory = peak === null ? '' : formatMemory(peak)
  return [`  ${label}`, formatMeasured(ms), compared, memory, budget?.text ?? '', kept]
}

function formatMachine({ machine, settings }: BenchReport): readonly string[] {
  const { processor, cores, memory, node } = machine
  const quick = settings.isQuick
    ? ['A quick run with few sellers: exceeded budgets do not change the exit code.']
    : []
  return [`${processor}, ${cores} cores, ${formatMemory(memory)}, Node ${node}`, ...quick]
}

function formatNotes({ rows, likeness }: BenchReport): readonly string[] {
  const runs = (id: BenchRow['id']): number => rows.find((row) => row.id === id)?.runs ?? 0
  return [
    `Times are wall-clock times of whole processes, without npm: medians of ${runs('one-middle')} runs, or of ${runs('astro')} runs for commands that make all pages of many sellers; a single run at the largest size.`,
    `Peak memory: ${MEMORY_METHOD}.`,
    ...Object.entries(likeness).map(([name, { compared, sameText, sameBytes, size }]) => {
      const words = [
        `${formatNumber(sameText)} of ${formatNumber(compared)} pages have the same text as ours`,
        `${formatNumber(sameBytes)} have the same bytes`,
        `their size is ${(size * 100).toFixed(2)} % of ours`,
      ]
      return `Pages of ${name}: ${words.join(', ')}.`
    }),
  ]
}

/** Returns a line for each row. */
function alignColumns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const pad = (cell: string, column: number): string => {
    const width = widths[column] ?? 0
    return isRight(column) ? cell.padStart(width) : cell.padEnd(width)
  }
  return rows.map((row) => row.map(pad).join('  ').trimEnd())
}
