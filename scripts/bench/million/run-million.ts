/**
 * Builds a million pages, changes prices one at a time, and measures how many pages other generators make in the time
 * of the first build.
 */
import { rmSync } from 'node:fs'
import { formatNumber } from '../../../src/builder/format-numbers.ts'
import { formatMeasured, formatMemory } from '../../measure/format-figures.ts'
import type { MeasuredCommand, MeasuredRun } from '../../measure/run-measured.ts'
import { runMeasured } from '../../measure/run-measured.ts'
import { findMedian } from '../../measure/times.ts'
import { checkEdit, editSeller, pickSeller } from '../edit-seller.ts'
import type { BenchSite } from '../rebuilds/bench-site.ts'
import { buildBenchSite, createImport, createRebuild, createBenchSite } from '../rebuilds/bench-site.ts'
import { requireSpace } from '../rebuilds/prepare-sites.ts'
import type { BenchTools, JudgedPromise, Verdict } from '../verdict.ts'
import { judge } from '../verdict.ts'
import { ensureData } from '../write-data.ts'
import { checkSample } from './check-sample.ts'
import { measureReach } from './measure-reach.ts'

/** With 25 product pages per seller on average, the site has slightly more than a million pages. */
const SELLERS = 40_000
const QUICK_SELLERS = 1_000
/** Disk space per seller in bytes, for documents, database rows, pages and state, with a margin. */
const SPACE_OF_SELLER = 500_000
const TURNS = 5
const SAMPLE = 50

/**
 * Max values for a million pages on two idle cores: time of the first build in ms, its memory in bytes, time of one
 * changed price in ms, and number of pages written for it.
 */
const BUDGET = { first: 150_000, memory: 2 ** 30, price: 300, pages: 2 }

interface MillionTools extends BenchTools {
  readonly sellers: number | undefined
}

export async function benchMillion({ folder, isQuick, sellers, progress }: MillionTools): Promise<Verdict> {
  const count = sellers ?? (isQuick ? QUICK_SELLERS : SELLERS)
  requireSpace(folder, count * SPACE_OF_SELLER, 'pass a smaller number with --sellers')
  const data = await ensureData(folder, { sellers: count, largest: null }, progress)
  const site = createBenchSite(folder, 'site-million', { sellers: count, hasProductPages: true })
  try {
    await compile(folder, progress)
    progress(`Importing ${formatNumber(count)} sellers`)
    const imported = await runMeasured(createImport(site, data))
    progress('Building all pages')
    const first = await run(createRebuild(site, '--json'), true)
    const pages = first.pages.written
    progress(`Built ${formatNumber(pages)} pages in ${formatMeasured(first.ms)}; changing one price`)
    const prices = await measurePrices(site)
    const nothing = await repeat(() => run(createRebuild(site, '--json')))
    const median = findMedian(prices.map(({ ms }) => ms))
    progress(`Changed a price in ${formatMeasured(median)}; comparing ${SAMPLE} sellers with a clean build`)
    const sample = await checkSample(folder, site, Math.min(SAMPLE, count))
    return judge(
      `${formatNumber(count)} sellers, ${formatNumber(pages)} pages:`,
      `        ${formatMeasured(imported.ms)} to import the documents`,
      ...judgeFirst(first, pages),
      judgePrice(prices),
      `        ${formatMeasured(findMedian(nothing.map(({ ms }) => ms)))} for a rebuild when nothing has changed`,
      {
        words:
          `${formatNumber(sample.files)} files of ${sample.sellers} sellers compared with a clean build: ${sample.different.length} differ ${sample.different.slice(0, 3).join(' ')}`.trim(),
        isKept: sample.different.length === 0 && sample.files > sample.sellers,
      },
      '',
      ...(await measureReach({ folder, time: first.ms, progress })),
    )
  } finally {
    rmSync(site.folder, { recursive: true, force: true })
  }
}

interface MeasuredRebuild extends MeasuredRun {
  readonly pages: { readonly written: number }
}

async function run(command: MeasuredCommand, watchesMemory = false): Promise<MeasuredRebuild> {
  const measured = await runMeasured({ ...command, watchesMemory })
  return { ...measured, ...(JSON.parse(measured.stdout) as Pick<MeasuredRebuild, 'pages'>) }
}

/** Compiles the code by building a small site first, so that no measured build includes the compilation. */
async function compile(folder: string, progress: BenchTools['progress']): Promise<void> {
  const site = createBenchSite(folder, 'site-compiled', { sellers: 1, hasProductPages: true })
  progress('Compiling')
  await buildBenchSite(site, await ensureData(folder, { sellers: 1, largest: null }, () => {}))
  rmSync(site.folder, { recursive: true })
}

async function measurePrices(site: BenchSite): Promise<readonly MeasuredRebuild[]> {
  let turn = 0
  return repeat(async () => {
    turn += 1
    const edit = editSeller(site.source, pickSeller(site.sellers, turn), turn)
    const measured = await run(createRebuild(site, '--json'), turn === TURNS)
    checkEdit(site.output, edit)
    return measured
  })
}

async function repeat<T>(act: () => Promise<T>): Promise<readonly T[]> {
  const results: T[] = []
  for (let turn = 0; turn < TURNS; turn += 1) results.push(await act())
  return results
}

function judgeFirst({ ms, peak }: MeasuredRebuild, pages: number): readonly JudgedPromise[] {
  const rate = formatNumber(Math.round((1000 * pages) / ms))
  return [
    {
      words: `${formatMeasured(ms)} for the first build, ${rate} pages a second`,
      isKept: ms <= BUDGET.first,
    },
    ...(peak === null
      ? []
      : [
          {
            words: `${formatMemory(peak)} of peak memory for the first build`,
            isKept: peak <= BUDGET.memory,
          },
        ]),
  ]
}

function judgePrice(runs: readonly MeasuredRebuild[]): JudgedPromise {
  const ms = findMedian(runs.map((one) => one.ms))
  const pages = Math.max(...runs.map(({ pages: { written } }) => written))
  const peak = runs.find((one) => one.peak !== null)?.peak
  return {
    words: `${formatMeasured(ms)} for the rebuild after one changed price: ${pages} pages written${peak ? `, ${formatMemory(peak)} of peak memory` : ''}`,
    isKept: ms <= BUDGET.price && pages <= BUDGET.pages,
  }
}
