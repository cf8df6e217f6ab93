/** The figures of a site that renders changes itself under load. Pure. */
import { formatCount, formatTime } from '../../measure/format-figures.ts'
import { findPercentile } from '../../measure/percentile.ts'
import type { EdgeResult } from './format-edge-bench.ts'
import type { LoadFigures } from './measure-load.ts'

/** From accepted to served at half of the saturation, of 95 % of the changes, in ms. Source: docs/proofs.md, Bench. */
const SERVED_BUDGET = 3_000

const MEDIAN = 0.5
const MOST = 0.95

export function formatLoad({ saturation, half, served, steady, doubled }: LoadFigures): EdgeResult {
  const slow = findPercentile(served, MOST)
  const checks = [
    [
      `saturation: ${saturation.toFixed(0)} changes a second; at ${half.toFixed(0)} a second from accepted to served: median ${formatTime(findPercentile(served, MEDIAN))}, p95 ${formatTime(slow)} (at most ${formatTime(SERVED_BUDGET)})`,
      slow <= SERVED_BUDGET,
    ],
    [
      `${steady.rate} changes a second: ${formatCount(steady.changes)} changes; in the end ${formatCount(steady.sellers)} sellers were looked at, ${formatCount(steady.wrong)} of them lost or wrong`,
      steady.wrong === 0,
    ],
    [
      `a second delivery of the last messages changed ${doubled.changed} of ${doubled.pages} pages`,
      doubled.changed === 0,
    ],
  ] as const
  const lines = checks.map(([words, isKept]) => `${words}: ${isKept ? 'ok' : 'over'}`)
  return {
    text: ['The larger site renders changes itself, read from a stand-in for Firestore:', ...lines].join(
      '\n',
    ),
    isKept: checks.every(([, isKept]) => isKept),
  }
}
