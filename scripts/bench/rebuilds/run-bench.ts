/** Runs the rebuild bench: prepares the sites, measures commands in turns, and cleans up. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { acquireLock, BusyError } from '../../../src/builder/state/locks.ts'
import { ROOT } from '../../../src/builder/files/project-folder.ts'
import { copyProject } from '../../measure/copy-project.ts'
import type { Likeness } from './compare-pages.ts'
import { comparePages } from './compare-pages.ts'
import { createMeter } from './meter.ts'
import type { Competitors, Sites, Tools } from './prepare-sites.ts'
import { prepareCompetitors, prepareSites, requireSpace } from './prepare-sites.ts'
import type { BenchTools, Verdict } from '../verdict.ts'
import type { BenchMachine, Measured } from './bench-report.ts'
import { createBenchReport } from './bench-report.ts'
import { findSpace, FULL, QUICK } from './bench-settings.ts'
import { formatBars } from './chart.ts'
import { formatBenchReport } from './format-bench.ts'
import type { BenchSite } from './bench-site.ts'
import { createRebuildBy } from './bench-site.ts'
import { runMeasured } from '../../measure/run-measured.ts'
import {
  createCrowdedSubject,
  createEmpty,
  createLongSubjects,
  createProductSubjects,
  createShortSubjects,
} from './subjects.ts'

const COPY = 'project'
const ASIDE = 'aside'

// Removed at the end. The generated data and the installed Eleventy are kept for the next run.
const REMOVED = [
  'site-small',
  'site-middle',
  'site-large',
  'site-part',
  'site-crowded',
  'site-products',
  'astro',
  'astro-incremental',
  'eleventy/dist',
  'eleventy-small/dist',
  'competitors.sqlite',
  'competitors-small.sqlite',
  COPY,
  ASIDE,
]

/** Runs the bench. Writes the figures and the chart to `docs` if `isSaved`, else to the working folder. */
export async function benchRebuilds(tools: BenchTools, isSaved: boolean): Promise<Verdict> {
  const report = createBenchReport(await runBench(tools))
  const folder = isSaved ? join(ROOT, 'docs') : tools.folder
  const [figures, chart] = [join(folder, 'bench.json'), join(folder, 'bench.svg')]
  mkdirSync(folder, { recursive: true })
  writeFileSync(figures, `${JSON.stringify(report, null, 2)}\n`)
  writeFileSync(chart, formatBars(report))
  return {
    text: `${formatBenchReport(report)}\n\nFigures and chart: ${figures}, ${chart}`,
    isKept: report.rows.every(({ budget }) => budget?.isKept !== false),
  }
}

async function runBench({ folder, isQuick, progress }: BenchTools): Promise<Measured> {
  const settings = isQuick ? QUICK : FULL
  requireSpace(folder, findSpace(settings), 'use --quick')
  const lock = acquireLock(join(folder, 'lock.sqlite'))
  if (lock === null)
    throw new BusyError(
      `Another bench is running in ${folder}: wait until it ends, or choose another folder with --folder.`,
    )
  const meter = createMeter(progress)
  const tools: Tools = { folder, settings, meter, progress }
  try {
    const sites = await prepareSites(tools)
    const competitors = await prepareCompetitors(sites, tools)
    const likeness = compareAll(sites.middle, competitors)
    await measureRounds(sites, competitors, tools)
    for (const subject of createProductSubjects(sites.products)) await meter.run(subject)
    await measurePublicFile(sites.large, tools)
    return { settings, machine: readMachine(), figures: meter.read(), likeness }
  } finally {
    clearAway(folder)
    lock.release()
  }
}

async function measureRounds(
  sites: Sites,
  competitors: Competitors,
  { folder, settings, meter }: Tools,
): Promise<void> {
  const empty = createEmpty(join(folder, ASIDE))
  const short = [
    ...createShortSubjects(sites, competitors, empty),
    createCrowdedSubject(sites.crowded, settings.crowded),
  ]
  const long = createLongSubjects(sites, competitors, empty)
  for (const subject of short) await meter.warmUp(subject)
  for (let round = 0; round < settings.rounds; round += 1) {
    for (const subject of long) await meter.run(subject)
    for (let turn = 0; turn < settings.turns; turn += 1) {
      for (const subject of short) await meter.run(subject)
    }
  }
}

// Works on a copy of the project, because the measurement adds a file to the public folder.
async function measurePublicFile(site: BenchSite, { folder, meter }: Tools): Promise<void> {
  const project = join(folder, COPY)
  rmSync(project, { recursive: true, force: true })
  mkdirSync(project)
  copyProject(project)
  const command = { ...createRebuildBy(project, site), watchesMemory: true }
  // Compiles in a separate run first, so that the measured run does not include the compilation.
  await runMeasured(command)
  writeFileSync(join(project, 'public/another.txt'), 'another\n')
  await meter.run({ id: 'public', command })
}

// Must run before the first edit, because later edits change the database of this project and that of the other
// generators differently.
function compareAll({ output }: BenchSite, { astro, eleventy }: Competitors): Measured['likeness'] {
  const compare = (theirs: string): Likeness =>
    comparePages(join(output, 'catalogo'), join(theirs, 'catalogo'))
  return { astro: compare(astro.output), eleventy: compare(eleventy.output) }
}

function clearAway(folder: string): void {
  for (const name of REMOVED) rmSync(join(folder, name), { recursive: true, force: true })
}

function readMachine(): BenchMachine {
  return {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memory: totalmem(),
    node: process.versions.node,
  }
}
