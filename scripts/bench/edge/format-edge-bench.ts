/** The figures of sites of objects as a table. Pure. */
import { formatNumber } from '../../../src/builder/format-numbers.ts'
import { formatRate, formatRatio, formatMeasured } from '../../measure/format-figures.ts'
import { formatTable } from '../../measure/format-table.ts'
import { findPercentile } from '../../measure/times.ts'
import type { Verdict } from '../verdict.ts'
import { PRODUCTS_EACH } from './made-objects.ts'
import type { EdgeFigures, EdgeTimes } from './measure-edge.ts'

/** Max ratio of the larger site's time to the smaller one's. Source: docs/proofs.md, Bench. */
const EDGE_BUDGET = 1.3

const HALF = 0.5
const MOST = 0.95
const ALL = 1

type Row = readonly [label: string, times: keyof EdgeTimes, share: number, hasBudget?: true]

const ROWS: readonly Row[] = [
  ['one change pushed until served', 'changes', HALF, true],
  ['one change pushed until served', 'changes', MOST],
  ['one change of Firestore until served, beyond the quiet period', 'noticed', HALF, true],
  ['first page after other code', 'switched', HALF, true],
  ['first page after other code', 'switched', ALL],
  ['view, read from the store', 'read', HALF],
  ['view, read from the store', 'read', MOST],
  ['view, read a moment ago', 'cached', HALF],
  ['view, read a moment ago', 'cached', MOST],
  ['a static file', 'file', HALF],
  ['a static file', 'file', MOST],
]

/** Compares two sites, the smaller one first. */
export function formatEdgeBench(sites: readonly EdgeFigures[]): Verdict {
  const [small, large] = sites
  if (small === undefined || large === undefined) throw new Error('a site was not measured')
  const rows = ROWS.map(([label, times, share, hasBudget = false]) => {
    const values = [small, large].map((site) => findPercentile(site[times], share))
    const ratio = findRatio(values)
    const isKept = !hasBudget || ratio <= EDGE_BUDGET
    const budget = hasBudget ? `at most ${EDGE_BUDGET}: ${isKept ? 'ok' : 'over'}` : ''
    const name = `${label}, ${share === ALL ? 'slowest' : `p${share * 100}`}`
    return { isKept, cells: [name, ...values.map(formatMeasured), formatRatio(ratio), budget] }
  })
  const fills = [small, large].map(({ sellers, fill }) => sellers / fill)
  const cells = [
    ['sellers', formatNumber(small.sellers), formatNumber(large.sellers), 'ratio', ''],
    ...rows.map((row) => row.cells),
    ['first fill', ...fills.map((perMs) => formatRate(perMs, 1)), formatRatio(findRatio(fills)), ''],
  ]
  return {
    isKept: rows.every(({ isKept }) => isKept),
    text: [
      ...formatTable(cells, (column) => column > 0 && column < 4),
      '',
      `Local workerd, both sites side by side, by the client's clock. ${PRODUCTS_EACH} products each seller.`,
      `${small.changes.length} changes, ${small.switched.length} first pages of other code, ${small.read.length} views of each kind, of the same sellers in both sites.`,
    ].join('\n'),
  }
}

function findRatio([small = Number.NaN, large = Number.NaN]: readonly number[]): number {
  return large / small
}
