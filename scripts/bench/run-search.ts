/** Runs the search bench with one shard and with four, and compares its figures with the budgets. */
import { join } from 'node:path'
import { formatCount, formatRatio, formatTime } from '../measure/format-figures.ts'
import type { HostileSellerFigures } from './measure-hostile-seller.ts'
import { measureHostileSeller } from './measure-hostile-seller.ts'
import type { SearchFigures, Times } from './measure-search.ts'
import { LOAD, measureSearch } from './measure-search.ts'
import { QUERY_KINDS } from './search-sellers.ts'

const SHARDS = [1, 4] as const
const FULL = { sellers: 10_000, rounds: 300, seconds: 10 }
const QUICK = { sellers: 1_000, rounds: 100, seconds: 5 }
/** Max p95 of a query and of replacing a seller, in milliseconds. */
const BUDGET = 25
/** Max p95 of a query that is typed to make the search slow. Eight frequent words are eight long lists to read. */
const HOSTILE_BUDGET = 50
/** Max median of a query with a hostile seller, to that without her. */
const SELLER_BUDGET = 1.3

export interface SearchResult {
  readonly text: string
  readonly isKept: boolean
}

export async function runSearch(
  folder: string,
  { isQuick, progress }: { readonly isQuick: boolean; readonly progress: (text: string) => void },
): Promise<SearchResult> {
  const size = isQuick ? QUICK : FULL
  const all: SearchFigures[] = []
  for (const shards of SHARDS)
    all.push(await measureSearch({ ...size, shards, folder: join(folder, 'search'), progress }))
  const hostile = await measureHostileSeller({ ...size, folder: join(folder, 'hostile'), progress })
  const lines = [
    ...all.flatMap((figures) => ['', formatHeading(figures, size.sellers), ...formatRows(figures)]),
    '',
    'One hostile seller among 60, medians of the same queries in turns:',
    ...hostile.map(formatHostile),
  ]
  return {
    text: ['Local workerd, by the client’s clock.', ...lines].join('\n'),
    isKept:
      hostile.every((figures) => isHarmless(figures)) &&
      all.every((figures) => listRows(figures).every((row) => isRowKept(row))),
  }
}

interface Row {
  readonly label: string
  readonly times: Times
  readonly failed: number
  /** Max p95; `null` for none. */
  readonly budget: number | null
}

const LABELS = {
  usual: 'names of perfumes and sellers, whole and begun',
  everywhere: 'words that many products have',
  misspelt: 'one wrong letter',
  nothing: 'nothing found',
  hostile: 'syntax, bytes, 10,000 characters, eight words that many have',
} as const

function listRows({ queries, replaced, load }: SearchFigures): readonly Row[] {
  const kinds = QUERY_KINDS.map((kind) => ({
    label: LABELS[kind],
    times: queries[kind],
    failed: 0,
    budget: kind === 'hostile' ? HOSTILE_BUDGET : BUDGET,
  }))
  const label = `${LOAD.queries} queries a second while ${LOAD.sellers} sellers a second change: ${load.failed} errors`
  return [
    ...kinds,
    { label: 'one seller replaced, all of her prices', times: replaced, failed: 0, budget: BUDGET },
    { label, times: load, failed: load.failed, budget: null },
  ]
}

function isRowKept({ times, failed, budget }: Row): boolean {
  return failed === 0 && (budget === null || times.p95 <= budget)
}

function formatHeading({ shards, filled }: SearchFigures, sellers: number): string {
  const divided = shards === 1 ? 'one shard' : `${shards} shards`
  return `${formatCount(sellers)} sellers with 25 products each in ${divided}, filled in ${formatTime(filled)}:`
}

function formatRows(figures: SearchFigures): readonly string[] {
  return listRows(figures).map((row) => {
    const { median, p95, slowest } = row.times
    return `  ${isRowKept(row) ? 'ok  ' : 'OVER'}  ${formatTime(median).padStart(8)}  p95 ${formatTime(p95).padStart(8)}  slowest ${formatTime(slowest).padStart(8)}  ${row.label}`
  })
}

function isHarmless({ without, withHer }: HostileSellerFigures): boolean {
  return withHer <= SELLER_BUDGET * without
}

function formatHostile(figures: HostileSellerFigures): string {
  const { attack, without, withHer } = figures
  const ratio = formatRatio(withHer / without).padStart(8)
  return `  ${isHarmless(figures) ? 'ok  ' : 'OVER'}  ${ratio}  ${formatTime(without).padStart(8)} without her, ${formatTime(withHer).padStart(8)} with her  ${attack}`
}
