/** Runs the search bench, and compares its figures with the budgets. */
import { join } from 'node:path'
import { formatNumber } from '../../../src/builder/format-numbers.ts'
import { formatMeasured } from '../../measure/format-figures.ts'
import type { BenchTools, JudgedPromise, Verdict } from '../verdict.ts'
import { judge } from '../verdict.ts'
import type { SearchFigures, Times } from './measure-search.ts'
import { LOAD, measureSearch } from './measure-search.ts'
import { QUERY_KINDS } from './search-sellers.ts'

const FULL = { sellers: 10_000, rounds: 300, seconds: 10 }
const QUICK = { sellers: 1_000, rounds: 100, seconds: 5 }
/** Max p95 of a query that is not hostile, and of replacing a seller, in milliseconds. */
const BUDGET = 25
/**
 * Max p95 of a hostile query, in milliseconds. It is higher than `BUDGET`, because a hostile query reads a long list
 * for each of eight frequent words.
 */
const HOSTILE_BUDGET = 50

export async function benchSearch({ folder, isQuick, progress }: BenchTools): Promise<Verdict> {
  const size = isQuick ? QUICK : FULL
  const figures = await measureSearch({ ...size, folder: join(folder, 'search'), progress })
  const products = `${formatNumber(size.sellers)} sellers with 25 products each`
  return judge(
    'Local workerd; times by the client’s clock.',
    `${products}, filled in ${formatMeasured(figures.filled)}:`,
    ...judgeSearch(figures),
  )
}

const LABELS = {
  usual: 'names of perfumes and sellers, complete or just their beginning',
  everywhere: 'words that many products have',
  misspelt: 'one wrong letter',
  nothing: 'nothing found',
  hostile: 'hostile queries: query syntax, random bytes, 10,000 characters, many frequent words',
} as const

function judgeSearch({ queries, replaced, load }: SearchFigures): readonly JudgedPromise[] {
  const { queries: asked, sellers } = LOAD
  return [
    ...QUERY_KINDS.map((kind) =>
      judgeTimes(LABELS[kind], queries[kind], kind === 'hostile' ? HOSTILE_BUDGET : BUDGET),
    ),
    judgeTimes('one seller replaced, with all of her prices changed', replaced, BUDGET),
    {
      words: formatTimes(
        `${asked} queries a second while ${sellers} sellers a second change: ${load.failed} errors`,
        load,
      ),
      isKept: load.failed === 0,
    },
  ]
}

function judgeTimes(label: string, times: Times, budget: number): JudgedPromise {
  return { words: formatTimes(label, times), isKept: times.p95 <= budget }
}

function formatTimes(label: string, { median, p95, slowest }: Times): string {
  return `${formatMeasured(median).padStart(8)}  p95 ${formatMeasured(p95).padStart(8)}  slowest ${formatMeasured(slowest).padStart(8)}  ${label}`
}
