/** The figures of sites of objects as a table. Pure. */
import { formatCount, formatRate, formatRatio, formatTime } from '../../measure/format-figures.ts'
import { findPercentile } from '../../measure/percentile.ts'
import { PRODUCTS } from './made-objects.ts'
import type { EdgeFigures } from './measure-edge.ts'

/** Max ratio between the sites. Source: docs/proofs.md, Bench. */
const EDGE_BUDGET = 1.3

export interface EdgeResult {
  readonly text: string
  readonly isKept: boolean
}

interface Row {
  readonly label: string
  readonly find: (figures: EdgeFigures) => number
  readonly format: (value: number) => string
  readonly hasBudget?: true
}

const HALF = 0.5
const MOST = 0.95
const ALL = 1

const ROWS: readonly Row[] = [
  createRow('one change pushed until served', 'changes', HALF, true),
  createRow('one change pushed until served', 'changes', MOST),
  createRow('one change of Firestore until served, beyond the quiet period', 'noticed', HALF, true),
  createRow('first page after other code', 'switched', HALF, true),
  createRow('first page after other code', 'switched', ALL),
  createRow('view, read from the store', 'read', HALF),
  createRow('view, read from the store', 'read', MOST),
  createRow('view, read a moment ago', 'cached', HALF),
  createRow('view, read a moment ago', 'cached', MOST),
  createRow('a static file', 'file', HALF),
  createRow('a static file', 'file', MOST),
  { label: 'first fill', find: ({ sellers, fill }) => sellers / fill, format: formatObjects },
]

type Times = 'changes' | 'noticed' | 'switched' | 'read' | 'cached' | 'file'

function createRow(label: string, times: Times, share: number, hasBudget?: true): Row {
  return {
    label: `${label}, ${share === ALL ? 'slowest' : `p${share * 100}`}`,
    find: (figures) => findPercentile(figures[times], share),
    format: formatTime,
    ...(hasBudget && { hasBudget }),
  }
}

function formatObjects(perMs: number): string {
  return formatRate(perMs, 1)
}

/** Compares the two sites, the smaller one first. */
export function formatEdgeBench(small: EdgeFigures, large: EdgeFigures): EdgeResult {
  const headings = ['sellers', formatCount(small.sellers), formatCount(large.sellers), 'ratio', '']
  const measured = ROWS.map((one) => {
    const values = [one.find(small), one.find(large)] as const
    const ratio = values[1] / values[0]
    return { one, values, ratio, isKept: one.hasBudget !== true || ratio <= EDGE_BUDGET }
  })
  const cells = measured.map(({ one, values, ratio, isKept }) => {
    const budget = one.hasBudget === true ? `at most ${EDGE_BUDGET}: ${isKept ? 'ok' : 'over'}` : ''
    return [one.label, ...values.map(one.format), formatRatio(ratio), budget]
  })
  return {
    isKept: measured.every(({ isKept }) => isKept),
    text: [
      ...formatTable([headings, ...cells]),
      '',
      `Local workerd, both sites side by side, by the client's clock. ${PRODUCTS} products each seller.`,
      `${small.changes.length} changes, ${small.switched.length} first pages of other code, ${small.read.length} views of each kind; the sellers visited are the same in both sites.`,
    ].join('\n'),
  }
}

function formatTable(cells: readonly (readonly string[])[]): readonly string[] {
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  )
  return cells.map((line) =>
    line
      .map((cell, column) => {
        const width = widths[column] ?? 0
        return column === 0 || column === widths.length - 1 ? cell.padEnd(width) : cell.padStart(width)
      })
      .join('  ')
      .trimEnd(),
  )
}
