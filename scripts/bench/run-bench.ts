/** Runs the whole bench: prepare, measure in turns, clean up. */
import { rmSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { acquireLock } from '../../src/builder/state/sqlite/lock.ts'
import { BusyError } from '../../src/builder/state/lock-folders.ts'
import type { Likeness } from './compare-pages.ts'
import { comparePages } from './compare-pages.ts'
import type { Figures, SubjectId } from './meter.ts'
import { createMeter } from './meter.ts'
import type { Competitors, Sites, Tools } from './prepare-sites.ts'
import { prepareCompetitors, prepareSites, requireSpace } from './prepare-sites.ts'
import type { BenchSettings } from './bench-settings.ts'
import type { BenchSite } from './bench-site.ts'
import { createExport, createRebuild } from './bench-site.ts'
import { createLongSubjects, createShortSubjects } from './subjects.ts'

export interface Machine {
  readonly processor: string
  readonly cores: number
  readonly memory: number
  readonly node: string
}

export interface Measured {
  readonly settings: BenchSettings
  readonly machine: Machine
  readonly figures: Readonly<Partial<Record<SubjectId, Figures>>>
  readonly likeness: Readonly<Record<'astro' | 'eleventy', Likeness>>
}

export async function runBench(
  folder: string,
  settings: BenchSettings,
  progress: (text: string) => void,
): Promise<Measured> {
  requireSpace(folder, settings)
  const lock = acquireLock(join(folder, 'lock.sqlite'))
  if (lock === null)
    throw new BusyError(
      `Another bench is running in ${folder}: wait for it, or name another folder with --folder.`,
    )
  const meter = createMeter(progress)
  const tools: Tools = { folder, settings, meter, progress }
  try {
    const sites = await prepareSites(tools)
    const competitors = await prepareCompetitors(sites.middle, tools)
    const likeness = compareAll(sites.middle, competitors)
    await measureRounds(sites, competitors, tools)
    await measureLarge(sites.large, tools)
    return { settings, machine: readMachine(), figures: meter.read(), likeness }
  } finally {
    clearAway(folder, settings)
    lock.release()
  }
}

async function measureRounds(
  sites: Sites,
  competitors: Competitors,
  { settings, meter }: Tools,
): Promise<void> {
  const short = createShortSubjects(sites)
  const long = createLongSubjects(sites.middle, competitors)
  for (const subject of short) await meter.warmUp(subject)
  for (let round = 0; round < settings.rounds; round += 1) {
    for (const subject of long) await meter.run(subject)
    for (let turn = 0; turn < settings.turns; turn += 1) {
      for (const subject of short) await meter.run(subject)
    }
  }
}

async function measureLarge(site: BenchSite, { meter }: Tools): Promise<void> {
  await meter.run({ id: 'verify', command: { ...createRebuild(site, '--verify'), watchesMemory: true } })
  await meter.run({ id: 'export', command: { ...createExport(site), watchesMemory: true } })
}

// Must run before the first edit, since edits go to separate databases.
function compareAll({ output }: BenchSite, { astro, eleventy }: Competitors): Measured['likeness'] {
  const compare = (theirs: string): Likeness =>
    comparePages(join(output, 'catalogo'), join(theirs, 'catalogo'))
  return { astro: compare(astro.output), eleventy: compare(eleventy.output) }
}

// The data and the installed Eleventy stay for the next run.
function clearAway(folder: string, { sellers }: BenchSettings): void {
  const sites = Object.values(sellers).map((count) => `site-${count}`)
  for (const name of [...sites, 'astro', 'astro-incremental', 'eleventy/dist', 'competitors.sqlite'])
    rmSync(join(folder, name), { recursive: true, force: true })
}

function readMachine(): Machine {
  return {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memory: totalmem(),
    node: process.versions.node,
  }
}
