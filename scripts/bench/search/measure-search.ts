/** Measures the search over many products on the local runtime, by the client's clock. */
import { rmSync } from 'node:fs'
import { findMedian, findPercentile, startAtRate, time } from '../../measure/times.ts'
import type { QueryKind } from './search-sellers.ts'
import { createQueries, createSellerUpdate, QUERY_KINDS } from './search-sellers.ts'
import type { BenchSearchSite } from './search-site.ts'
import { startSearchSite } from './search-site.ts'

interface SearchOptions {
  /** Number of sellers. Each has 25 products on average. */
  readonly sellers: number
  /** Number of queries of each kind, and number of sellers that are replaced. */
  readonly rounds: number
  /** Duration in seconds of the load, in which queries are sent while sellers change. */
  readonly seconds: number
  /** The temporary folder of the index; removed afterwards. */
  readonly folder: string
  readonly progress: (text: string) => void
}

/** Query or update times in milliseconds. */
export interface Times {
  readonly median: number
  readonly p95: number
  readonly slowest: number
}

export interface SearchFigures {
  /** Total time of the calls that fill the index, in milliseconds. */
  readonly filled: number
  readonly queries: Readonly<Record<QueryKind, Times>>
  readonly replaced: Times
  /** Query times while sellers change. `sent` and `failed` count both queries and changes of sellers. */
  readonly load: Times & { readonly sent: number; readonly failed: number }
}

/** Queries per second, and changed sellers per second. */
export const LOAD = { queries: 50, sellers: 10 } as const

const BATCH = 100

export async function measureSearch(options: SearchOptions): Promise<SearchFigures> {
  const { folder, rounds, progress } = options
  rmSync(folder, { recursive: true, force: true })
  const site = await startSearchSite(folder)
  try {
    const filled = await fill(site, options)
    progress('Asking queries')
    const queries = {} as Record<QueryKind, Times>
    for (const kind of QUERY_KINDS) queries[kind] = await timeQueries(site, createQueries(kind, rounds))
    progress('Replacing sellers')
    const replaced = await timeReplaces(site, options)
    progress('Asking queries while sellers change')
    return { filled, queries, replaced, load: await loadSite(site, options) }
  } finally {
    await site.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Fills the index. Returns the time of the calls; creating the sellers is not measured. */
async function fill(site: BenchSearchSite, { sellers, progress }: SearchOptions): Promise<number> {
  let total = 0
  for (let from = 1; from <= sellers; from += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, sellers - from + 1) }, (_, index) => from + index)
    const updates = await Promise.all(numbers.map((number) => createSellerUpdate(number, 1)))
    total += await time(() => site.update(updates))
    progress(`Filling the index: ${from + updates.length - 1} of ${sellers} sellers`)
  }
  return total
}

async function timeQueries(site: BenchSearchSite, queries: readonly string[]): Promise<Times> {
  const times: number[] = []
  for (const query of queries) times.push(await time(() => site.search(query)))
  return summarize(times)
}

async function timeReplaces(site: BenchSearchSite, { rounds, sellers }: SearchOptions): Promise<Times> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const update = await createSellerUpdate(1 + ((round * 7_919) % sellers), 2)
    times.push(await time(() => site.update([update])))
  }
  return summarize(times)
}

/** Sends queries and changed sellers at fixed rates, without waiting for earlier answers. */
async function loadSite(
  site: BenchSearchSite,
  { seconds, sellers }: SearchOptions,
): Promise<SearchFigures['load']> {
  const queries = QUERY_KINDS.flatMap((kind) =>
    createQueries(kind, (seconds * LOAD.queries) / QUERY_KINDS.length),
  )
  const updates = await Promise.all(
    Array.from({ length: seconds * LOAD.sellers }, (_, index) =>
      createSellerUpdate(1 + (index % sellers), 3),
    ),
  )
  const times: number[] = []
  let failed = 0
  const count = (): number => (failed += 1)
  const shuffled = queries.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))
  const find = (index: number): string => shuffled[(index * 37) % shuffled.length] ?? ''
  await Promise.all([
    startAtRate(shuffled.length, LOAD.queries, (index) =>
      time(() => site.search(find(index))).then((ms) => times.push(ms), count),
    ),
    startAtRate(updates.length, LOAD.sellers, (index) =>
      site.update(updates.slice(index, index + 1)).catch(count),
    ),
  ])
  return { ...summarize(times), sent: shuffled.length + updates.length, failed }
}

function summarize(times: readonly number[]): Times {
  return {
    median: findMedian(times),
    p95: findPercentile(times, 0.95),
    slowest: findPercentile(times, 1),
  }
}
