/** Measures rebuilds: one price among few and many sellers, all pages, and a first build, beside other generators. */
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { join } from 'node:path'
import { formatNumber } from '../../src/builder/format-numbers.ts'
import { ROOT } from '../../src/builder/files/project-folder.ts'
import { formatCatalogueFile } from '../../src/domain/pages/paths.ts'
import { formatMeasured, formatMemory, findMedian } from '../measure/figures.ts'
import type { MeasuredCommand } from '../measure/run-measured.ts'
import { runMeasured } from '../measure/run-measured.ts'
import type { BenchSite } from './bench-site.ts'
import { createBenchSite, createRebuild, requireSpace } from './bench-site.ts'
import { checkEdit, editSeller, pickSeller } from './edit-seller.ts'
import { makeSeller } from './made-sellers.ts'
import { createAstroSite } from './others/astro-site.ts'
import { createEleventySite } from './others/eleventy-site.ts'
import type { Generator } from './others/generator.ts'
import { createHugoSite } from './others/hugo-site.ts'
import type { BenchTools, JudgedPromise, Verdict } from './verdict.ts'
import { judge, judgeRatio } from './verdict.ts'

interface BenchSizes {
  /** Numbers of sellers of the three sites. The other generators make the pages of the second. */
  readonly sellers: readonly [number, number, number]
  /** Runs of each command that makes all pages. */
  readonly rounds: number
  /** Runs of each short command in each round. */
  readonly turns: number
}

const FULL: BenchSizes = { sellers: [1_000, 10_000, 100_000], rounds: 3, turns: 5 }
const QUICK: BenchSizes = { sellers: [200, 1_000, 5_000], rounds: 2, turns: 4 }

/** Max ratios: to a Node process that does nothing, to a tenth of the sellers, and to other generators. */
const BUDGET = { price: 7, growth: 1.3 }
const WHOLE_BUDGETS: Readonly<Record<string, { readonly full: number; readonly first?: number }>> = {
  Eleventy: { full: 0.33, first: 0.5 },
  Astro: { full: 0.22 },
  Hugo: { full: 0.2, first: 0.45 },
}

/** Number of pages whose text is compared with that of the other generators. */
const COMPARED = 50

/** Measured times in milliseconds and the peak memory in bytes, by a name of what was measured. */
class Figures {
  readonly #times = new Map<string, number[]>()
  readonly #peaks = new Map<string, number>()

  async measure(name: string, command: MeasuredCommand): Promise<void> {
    // Otherwise the first file that the program forces to the disk would wait for all earlier data.
    spawnSync('sync')
    const { ms, peak } = await runMeasured(command)
    this.#times.set(name, [...(this.#times.get(name) ?? []), ms])
    this.#peaks.set(name, Math.max(this.#peaks.get(name) ?? 0, peak ?? 0))
  }

  find(name: string): number {
    return findMedian(this.#times.get(name) ?? [])
  }

  format(name: string, words: string): string {
    const peak = this.#peaks.get(name) ?? 0
    const memory = peak === 0 ? '' : `, ${formatMemory(peak)} of peak memory`
    return `        ${formatMeasured(this.find(name)).padStart(8)}  ${words}${memory}`
  }
}

export async function benchRebuilds({ folder, isQuick, progress }: BenchTools): Promise<Verdict> {
  const { sellers, rounds, turns } = isQuick ? QUICK : FULL
  requireSpace(folder, 100_000 * sellers[2] + 900_000 * sellers[1])
  const used = join(folder, 'rebuilds')
  rmSync(used, { recursive: true, force: true })
  const figures = new Figures()
  try {
    const sites: BenchSite[] = []
    for (const count of sellers) {
      const site = await createBenchSite(
        folder,
        `rebuilds/${count}`,
        { sellers: count, hasProductPages: false },
        progress,
      )
      progress(`Building ${formatNumber(count)} sellers`)
      // The first of them compiles the code, too.
      await figures.measure(`build-${count}`, { ...createRebuild(site), watchesMemory: true })
      sites.push(site)
    }
    const [small, middle, large] = sites as [BenchSite, BenchSite, BenchSite]
    const others = await prepareOthers(folder, middle, progress)
    for (let round = 1; round <= rounds; round += 1) {
      progress(`Measuring all pages: ${round} of ${rounds}`)
      await measureWhole(figures, middle, { others, round })
      progress(`Measuring one price: ${round} of ${rounds}`)
      for (let turn = 1; turn <= turns; turn += 1)
        await measurePrices(figures, [small, middle, large], round * turns + turn)
    }
    return judge(...formatPrices(figures, sellers), ...formatWhole(figures, sellers, others))
  } finally {
    rmSync(used, { recursive: true, force: true })
  }
}

/** Prepares the other generators, runs each once, and checks that their pages have the text of ours. */
async function prepareOthers(
  folder: string,
  site: BenchSite,
  progress: BenchTools['progress'],
): Promise<readonly Generator[]> {
  const own = (name: string): string => join(site.folder, name)
  const page = readPage(site.output, makeSeller(0).id)
  const hugo = createHugoSite(own('hugo'), site.source, page)
  const others = [
    await createEleventySite(join(folder, 'eleventy'), site.source, page),
    createAstroSite(own('astro'), site.source),
    ...(hugo === null ? [] : [hugo]),
  ]
  for (const { name, build } of others) {
    progress(`Warming up ${name}`)
    const output = own(`${name}-0`)
    await runMeasured(build(output))
    if (name !== 'Hugo') compareText(site, output, name)
  }
  return others
}

/** Throws unless a sample of pages in two folders has the same text. */
function compareText({ sellers, output }: BenchSite, theirs: string, name: string): void {
  for (let turn = 0; turn < COMPARED; turn += 1) {
    const { id } = pickSeller(sellers, turn)
    const [our, their] = [output, theirs].map((place) => readText(readPage(place, id)))
    if (our !== their) throw new Error(`the page of ${id} by ${name} has another text:\n${their}\n${our}`)
  }
}

function readPage(output: string, seller: string): string {
  return readFileSync(join(output, formatCatalogueFile(seller)), 'utf8')
}

/** Returns the visible text of a page's main part. */
function readText(html: string): string {
  return html
    .replace(/^.*(?=<main)|<\/main>.*$/gs, '')
    .replace(/<(script|style|template)\b.*?<\/\1>|<[^>]*>/gs, ' ')
    .replace(/\s+/g, ' ')
}

/**
 * Measures the commands that make all pages. Each but `--full` writes into a new folder: after thousands of deletions,
 * a file system such as ext4 needs several times as long to create files.
 */
async function measureWhole(
  figures: Figures,
  site: BenchSite,
  { others, round }: { readonly others: readonly Generator[]; readonly round: number },
): Promise<void> {
  const place = (name: string): string => join(site.folder, `${name}-${round}`)
  const fresh = { ...site, output: place('dist'), state: place('state') }
  await figures.measure('first', { ...createRebuild(fresh), watchesMemory: true })
  await figures.measure('full', { ...createRebuild(site, '--full'), watchesMemory: true })
  for (const { name, build } of others) {
    const command = build(place(name))
    await figures.measure(name, { ...command, watchesMemory: command.program === undefined })
  }
}

/** Measures a process that does nothing, and the rebuild after a changed price of each site. */
async function measurePrices(figures: Figures, sites: readonly BenchSite[], turn: number): Promise<void> {
  await figures.measure('bare', { args: ['-e', '0'], folder: ROOT })
  for (const site of sites) {
    const edit = editSeller(site.source, pickSeller(site.sellers, turn), turn)
    await figures.measure(`price-${site.sellers}`, createRebuild(site))
    checkEdit(site.output, edit)
  }
}

function formatPrices(
  figures: Figures,
  [small, middle, large]: BenchSizes['sellers'],
): readonly (string | JudgedPromise)[] {
  const among = (sellers: number): string => `among ${formatNumber(sellers)} sellers`
  const find = (sellers: number): number => figures.find(`price-${sellers}`)
  const bare = figures.find('bare')
  return [
    `${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, Node ${process.versions.node}.`,
    'Times of whole processes, without npm; medians.',
    '',
    'One price:',
    figures.format('bare', 'a Node process that does nothing'),
    figures.format(`price-${small}`, among(small)),
    judgeRatio([find(middle), bare], BUDGET.price, [among(middle), 'that process']),
    judgeRatio([find(large), find(middle)], BUDGET.growth, [among(large), 'the line above']),
  ]
}

function formatWhole(
  figures: Figures,
  [, middle, large]: BenchSizes['sellers'],
  others: readonly Generator[],
): readonly (string | JudgedPromise)[] {
  const compare = (ours: 'full' | 'first'): readonly JudgedPromise[] =>
    others.flatMap(({ name }) => {
      const most = WHOLE_BUDGETS[name]?.[ours]
      const times = [figures.find(ours), figures.find(name)] as const
      return most === undefined ? [] : judgeRatio(times, most, [`beside ${name}`, 'its time'])
    })
  return [
    '',
    `All pages of ${formatNumber(middle)} sellers:`,
    ...others.map(({ name }) => figures.format(name, name)),
    figures.format('full', 'rebuild --full, in place'),
    ...compare('full'),
    figures.format('first', 'first build, from the database'),
    ...compare('first'),
    figures.format(`build-${large}`, `first build of ${formatNumber(large)} sellers`),
    ...(others.some(({ name }) => name === 'Hugo') ? [] : ['Hugo is not installed.']),
  ]
}
