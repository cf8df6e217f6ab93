/** Formats the report of a checked site: a short table, and the problems. */
import { formatNumber } from '../../../src/builder/format-numbers.ts'
import type { SiteReport } from './check-site.ts'

const SHOWN = 10

export function formatSiteTable({ kinds, files, problems }: SiteReport): string {
  const rows = [...kinds].map(([kind, { count, heaviest }]) => [
    kind,
    formatNumber(count),
    formatNumber(heaviest.bytes),
    formatNumber(heaviest.budget),
    heaviest.path,
  ])
  const lines = [['page', 'count', 'brotli', 'budget', 'nearest to its budget'], ...rows]
  const verdict = problems.length === 0 ? 'nothing wrong' : `${formatNumber(problems.length)} problems`
  return `${lines.map(formatRow).join('\n')}\n${formatNumber(files)} files, ${verdict}`
}

export function formatProblems(problems: readonly string[]): string {
  const more = problems.length > SHOWN ? [`and ${formatNumber(problems.length - SHOWN)} more`] : []
  return [...problems.slice(0, SHOWN), ...more].join('\n')
}

function formatRow([kind = '', count = '', bytes = '', budget = '', path = '']: readonly string[]): string {
  return `${kind.padEnd(18)}${count.padStart(9)}${bytes.padStart(9)}${budget.padStart(9)}  ${path}`
}
