/** Measures the search in search files on the local runtime, by the client's clock, and compares it with the budgets. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { startEdge } from '../../src/builder/commands/local/local-edge.ts'
import { formatNumber } from '../../src/builder/format-numbers.ts'
import type { SourceDocument } from '../../src/domain/documents/document.ts'
import { mapSwitches } from '../../src/domain/documents/page-switches.ts'
import { parseDocument } from '../../src/domain/documents/parse-document.ts'
import type { Picture } from '../../src/domain/photos/picture.ts'
import type { SearchEntry } from '../../src/domain/search/format-search-file.ts'
import { formatSearchFile } from '../../src/domain/search/format-search-file.ts'
import {
  countSearchFiles,
  findSearchFile,
  formatSearchFilePath,
} from '../../src/domain/search/search-file.ts'
import { findBucket } from '../../src/domain/work/buckets.ts'
import { RESULTS_END, RESULTS_START } from '../../src/site/markup/search-results.ts'
import { createRandom } from '../measure/random.ts'
import { findPercentile, time } from '../measure/figures.ts'
import { FIRST_NAMES, LAST_NAMES, makeSeller, PERFUMES } from './made-sellers.ts'
import type { BenchTools, JudgedPromise, Verdict } from './verdict.ts'
import { judge, judgeTime } from './verdict.ts'

/** Max times in milliseconds: the p95 of queries, by the number of products, and the first search of a new Worker. */
const BUDGETS: Readonly<Record<number, number>> = { 25_000: 15, 250_000: 60 }
const FIRST_BUDGET = 500
const WARM_UP = 50
const ROUNDS = 200
const HOST = 'http://localhost'
const SHELL = `<!doctype html><title>Buscar</title><input type="search"><main>${RESULTS_START}${RESULTS_END}</main>`

/** Times in milliseconds. */
interface SearchFigures {
  readonly p95Ms: number
  readonly firstMs: number
}

export async function benchSearch({ folder, isQuick, progress }: BenchTools): Promise<Verdict> {
  const sizes = Object.entries(BUDGETS).slice(0, isQuick ? 1 : undefined)
  const lines: (string | JudgedPromise)[] = ['Local runtime; times by the client’s clock.']
  const search: Record<string, SearchFigures> = {}
  for (const [size, budget] of sizes) {
    const products = formatNumber(Number(size))
    const site = join(folder, 'search')
    rmSync(site, { recursive: true, force: true })
    progress(`Writing the files of ${products} products`)
    await writeSearchSite(site, Number(size))
    progress(`Searching ${products} products`)
    const { p95Ms, firstMs } = await measureSearch(site)
    search[size] = { p95Ms, firstMs }
    lines.push(
      `${products} products:`,
      judgeTime(firstMs, FIRST_BUDGET, 'the first search of a new Worker'),
      judgeTime(p95Ms, budget, 'p95 of names of perfumes and sellers, complete or just their beginning'),
    )
    rmSync(site, { recursive: true, force: true })
  }
  return { ...judge(...lines), figures: { search } }
}

async function measureSearch(folder: string): Promise<SearchFigures> {
  await using edge = await startEdge({ folder, variables: {} })
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
  const first = await time(() => ask('chanel'))
  const [warmUp, counted] = [createQueries(WARM_UP), createQueries(ROUNDS)]
  for (const query of warmUp) await ask(query)
  const times: number[] = []
  for (const query of counted) times.push(await time(() => ask(query)))
  return { p95Ms: round(findPercentile(times, 0.95)), firstMs: round(first) }
}

/** Returns the same queries for equal arguments. */
function createQueries(count: number): readonly string[] {
  const random = createRandom(1)
  return Array.from({ length: count }, () => {
    const perfume = random.pick(PERFUMES)
    return random.pick([
      perfume,
      `${perfume} 100ml`,
      `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`,
      perfume.slice(0, 3 + random.below(10)),
    ])
  })
}

/** Writes the search files of generated sellers who have this number of products together. */
async function writeSearchSite(folder: string, products: number): Promise<void> {
  const files = countSearchFiles(products)
  const lists: SearchEntry[][] = Array.from({ length: files }, () => [])
  for (let [number, left] = [1, products]; left > 0; number += 1) {
    const { id, profile, products: documents } = makeSeller(number)
    const entry = createEntry(id, profile, documents.slice(0, left))
    left -= entry.products.length
    lists[findSearchFile(await findBucket(id), files)]?.push(entry)
  }
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  write('index.html', '<!doctype html><title>Bench</title>')
  write('buscar.html', SHELL)
  const switches = mapSwitches(() => true)
  for (const [number, entries] of lists.entries())
    write(formatSearchFilePath(number), formatSearchFile(entries, files, switches))
}

function createEntry(
  id: string,
  profile: SourceDocument | null,
  documents: readonly SourceDocument[],
): SearchEntry {
  const names = Object(profile?.data)
  const products = documents.flatMap((document) => {
    const entry = parseDocument(document, () => {})
    return entry?.kind === 'product' ? [entry.product] : []
  })
  return {
    seller: id,
    name: `${names.fName ?? 'Jhon'} ${names.lName ?? 'Doe'}`,
    products,
    photos: new Map(products.map((product) => [product.photo ?? '', createPicture(product.id)])),
  }
}

/** As long as the picture of a site that makes its own. */
function createPicture(id: string): Picture {
  const path = `fotos/${id.padEnd(32, '0').slice(0, 32)}`
  const sources = [{ path: `${path}-344.avif`, width: 344 }]
  return { type: 'image/avif', sources, fallback: `${path}.jpg`, tone: 7 }
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10
}
