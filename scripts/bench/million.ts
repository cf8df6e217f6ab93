/** Builds a million pages, then changes prices one at a time. */
import { rmSync } from 'node:fs'
import { formatNumber } from '../../src/builder/format-numbers.ts'
import { formatMemory, findMedian } from '../measure/figures.ts'
import type { MeasuredCommand, MeasuredRun } from '../measure/run-measured.ts'
import { runMeasured } from '../measure/run-measured.ts'
import { createBenchSite, createRebuild, requireSpace } from './bench-site.ts'
import { checkEdit, editSeller, pickSeller } from './edit-seller.ts'
import type { BenchTools, Verdict } from './verdict.ts'
import { judge, judgeTime } from './verdict.ts'

/** With 25 product pages per seller on average, the site has slightly more than a million pages. */
const SELLERS = 40_000
const QUICK_SELLERS = 1_000
/** Disk space per seller in bytes, for documents, database rows, pages and state, with a margin. */
const SPACE_OF_SELLER = 500_000
const TURNS = 5

/** Max times in milliseconds, number of pages written for one price, and memory in bytes, on two idle cores. */
const BUDGET = { first: 130_000, price: 300, pages: 2, memory: 600 * 2 ** 20 }

interface MeasuredRebuild extends MeasuredRun {
  readonly pages: { readonly written: number }
}

export async function benchMillion({
  folder,
  isQuick,
  sellers,
  progress,
}: BenchTools & { readonly sellers: number | undefined }): Promise<Verdict> {
  const count = sellers ?? (isQuick ? QUICK_SELLERS : SELLERS)
  requireSpace(folder, count * SPACE_OF_SELLER)
  const create = (name: string, size: number) =>
    createBenchSite(folder, name, { sellers: size, hasProductPages: true }, progress)
  const compiled = await create('compiled', 1)
  const site = await create('million', count)
  try {
    // Compiles the code, which the measured build then only loads.
    await runMeasured(createRebuild(compiled))
    progress('Building all pages')
    const first = await run({ ...createRebuild(site, '--json'), watchesMemory: true })
    const prices: MeasuredRebuild[] = []
    for (let turn = 1; turn <= TURNS; turn += 1) {
      progress(`Changing one price: ${turn} of ${TURNS}`)
      const edit = editSeller(site.source, pickSeller(site.sellers, turn), turn)
      prices.push(await run(createRebuild(site, '--json')))
      checkEdit(site.output, edit)
    }
    const written = Math.max(...prices.map(({ pages }) => pages.written))
    const memory = first.peak ?? 0
    return judge(
      `${formatNumber(count)} sellers, ${formatNumber(first.pages.written)} pages:`,
      judgeTime(first.ms, BUDGET.first, 'first build'),
      {
        words: `${formatMemory(memory).padStart(8)}  of peak memory, at most ${formatMemory(BUDGET.memory)}`,
        isKept: memory <= BUDGET.memory,
      },
      judgeTime(findMedian(prices.map(({ ms }) => ms)), BUDGET.price, 'one price'),
      {
        words: `${formatNumber(written).padStart(8)}  pages written for one price, at most ${BUDGET.pages}`,
        isKept: written <= BUDGET.pages,
      },
    )
  } finally {
    for (const used of [compiled, site]) rmSync(used.folder, { recursive: true, force: true })
  }
}

async function run(command: MeasuredCommand): Promise<MeasuredRebuild> {
  const measured = await runMeasured(command)
  return { ...measured, ...(JSON.parse(measured.stdout) as Pick<MeasuredRebuild, 'pages'>) }
}
