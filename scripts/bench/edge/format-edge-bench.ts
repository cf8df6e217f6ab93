/** Formats the figures of two sites of objects as a table. Pure. */
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
  ['one change from its push until the page shows it', 'changes', HALF, true],
  ['one change from its push until the page shows it', 'changes', MOST],
  ['one change in Firestore until the page shows it, without the quiet period', 'noticed', HALF, true],
  ['first page after a change of the code', 'switched', HALF, true],
  ['first page after a change of the code', 'switched', ALL],
  ['page view, object read from the store', 'read', HALF],
  ['page view, object read from the store', 'read', MOST],
  ['page view, object cached', 'cached', HALF],
  ['page view, object cached', 'cached', MOST],
  ['a static file', 'file', HALF],
  ['a static file', 'file', MOST],
]

/**
 * Formats a comparison of two sites, the smaller one first, and compares those ratios that have a budget with the
 * budget.
 */
export function formatEdgeBench(sites: readonly EdgeFigures[]): Verdict {
  const [small, large] = sites
  if (small === undefined || large === undefined)
    throw new Error('the comparison needs the figures of two sites')
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
      `Local workerd; both sites run at the same time; times by the client's clock. ${PRODUCTS_EACH} products per seller.`,
      `${small.changes.length} changes, ${small.switched.length} first pages after a change of the code, ${small.read.length} page views of each kind, for the same sellers on both sites.`,
    ].join('\n'),
  }
}

function findRatio([small = Number.NaN, large = Number.NaN]: readonly number[]): number {
  return large / small
}
