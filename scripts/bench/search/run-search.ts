/** Measures the search in search files on the local runtime, by the client's clock, and compares it with the budgets. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { startEdge } from '../../../src/builder/commands/local/local-edge.ts'
import { formatNumber } from '../../../src/builder/format-numbers.ts'
import { formatMeasured } from '../../measure/format-figures.ts'
import { findMedian, findPercentile, time } from '../../measure/times.ts'
import type { BenchTools, JudgedPromise, Verdict } from '../verdict.ts'
import { judge } from '../verdict.ts'
import type { QueryKind } from './search-site.ts'
import { createQueries, QUERY_KINDS, writeSearchSite } from './search-site.ts'

/** Max p95 of the usual queries of a site, in milliseconds, by its number of products. */
const BUDGETS: Readonly<Record<number, number>> = { 25_000: 15, 250_000: 60 }
/** Max time of the first search of a new Worker, in milliseconds. */
const FIRST_BUDGET = 500
const ROUNDS = 200
const HOST = 'http://localhost'

interface Times {
  readonly median: number
  readonly p95: number
  readonly slowest: number
}

interface SearchFigures {
  /** The usual queries, in milliseconds. */
  readonly p95Ms: number
  readonly firstMs: number
}

const LABELS: Readonly<Record<QueryKind, string>> = {
  usual: 'names of perfumes and sellers, complete or just their beginning',
  everywhere: 'words that many products have',
  misspelt: 'one wrong letter',
  nothing: 'nothing found',
  hostile: 'hostile queries: query syntax, random bytes, 10,000 characters, many frequent words',
}

export async function benchSearch({ folder, isQuick, progress }: BenchTools): Promise<Verdict> {
  const sizes = Object.entries(BUDGETS).slice(0, isQuick ? 1 : undefined)
  const lines: (string | JudgedPromise)[] = ['Local workerd; times by the client’s clock.']
  const search: Record<string, SearchFigures> = {}
  for (const [size, budget] of sizes) {
    const site = join(folder, 'search')
    rmSync(site, { recursive: true, force: true })
    progress(`writing the files of ${formatNumber(Number(size))} products`)
    await writeSearchSite(site, Number(size))
    progress(`queries over ${formatNumber(Number(size))} products`)
    const { first, times } = await measure(site)
    search[size] = { p95Ms: round(times.usual.p95), firstMs: round(first) }
    lines.push('', `${formatNumber(Number(size))} products:`)
    lines.push({
      words: formatLine('the first search of a new Worker', first),
      isKept: first <= FIRST_BUDGET,
    })
    for (const kind of QUERY_KINDS)
      lines.push({
        words: formatTimes(LABELS[kind], times[kind]),
        isKept: kind !== 'usual' || times.usual.p95 <= budget,
      })
    rmSync(site, { recursive: true, force: true })
  }
  return { ...judge(...lines), figures: { search } }
}

async function measure(
  folder: string,
): Promise<{ readonly first: number; readonly times: Readonly<Record<QueryKind, Times>> }> {
  const edge = await startEdge({ folder, variables: {} })
  let sent = 0
  const ask = async (query: string): Promise<void> => {
    sent += 1
    // Each address may search 300 times a minute.
    const headers = { 'cf-connecting-ip': `10.0.${sent >> 6}.1` }
    const url = `${edge.origin.replace(/^http:\/\/[^:]+/, HOST)}/buscar?${new URLSearchParams({ q: query })}`
    const response = await fetch(url, { headers })
    await response.text()
    if (response.status !== 200) throw new Error(`status ${response.status} for ${query}`)
  }
  try {
    const first = await time(() => ask('chanel'))
    // The code of the search is compiled by then.
    for (const query of createQueries('usual', ROUNDS / 4)) await ask(query)
    const times = {} as Record<QueryKind, Times>
    for (const kind of QUERY_KINDS) {
      const all: number[] = []
      for (const query of createQueries(kind, ROUNDS)) all.push(await time(() => ask(query)))
      times[kind] = {
        median: findMedian(all),
        p95: findPercentile(all, 0.95),
        slowest: findPercentile(all, 1),
      }
    }
    return { first, times }
  } finally {
    await edge.close()
  }
}

function formatTimes(label: string, { median, p95, slowest }: Times): string {
  return `${formatMeasured(median).padStart(8)}  p95 ${formatMeasured(p95).padStart(8)}  slowest ${formatMeasured(slowest).padStart(8)}  ${label}`
}

function formatLine(label: string, ms: number): string {
  return `${formatMeasured(ms).padStart(8)}  ${label}`
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10
}
