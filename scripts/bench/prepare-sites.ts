/** Prepares everything that is measured: data, built sites and the other generators. */
import { copyFileSync, mkdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../src/builder/state/usage-error.ts'
import type { Competitor } from './astro-site.ts'
import { createAstroSite } from './astro-site.ts'
import { createEleventySite } from './eleventy-site.ts'
import type { Meter } from './meter.ts'
import { formatCount, formatDisk } from '../measure/format-figures.ts'
import { runMeasured } from '../measure/run-measured.ts'
import type { BenchSettings, Size } from './bench-settings.ts'
import { findSpace } from './bench-settings.ts'
import type { BenchSite } from './bench-site.ts'
import { createImport, createRebuild, createSite } from './bench-site.ts'
import { ensureData } from './write-data.ts'

export type Sites = Readonly<Record<Size, BenchSite>>

export interface Competitors {
  /** A copy of the documents, so that edits of our own sites do not reach them. */
  readonly database: string
  readonly astro: Competitor
  readonly incremental: Competitor
  readonly eleventy: Competitor
}

export interface Tools {
  readonly folder: string
  readonly settings: BenchSettings
  readonly meter: Meter
  readonly progress: (text: string) => void
}

/** Throws if the disk of `folder` has too little free space. */
export function requireSpace(folder: string, settings: BenchSettings): void {
  mkdirSync(folder, { recursive: true })
  const { bavail, bsize } = statfsSync(folder)
  const [free, needed] = [bavail * bsize, findSpace(settings)]
  if (free >= needed) return
  throw new UsageError(
    `${folder} has ${formatDisk(free)} free and needs ${formatDisk(needed)}: name another with --folder, or use --quick.`,
  )
}

/** Imports and builds the three sites; for the largest one both steps are measured. */
export async function prepareSites(tools: Tools): Promise<Sites> {
  // The first build compiles, and is not measured.
  const small = await prepareSite('small', tools)
  const middle = await prepareSite('middle', tools)
  return { small, middle, large: await prepareSite('large', tools) }
}

/** `site` must be built. Runs each generator once, so that its caches are warm. */
export async function prepareCompetitors(site: BenchSite, tools: Tools): Promise<Competitors> {
  const { folder, meter, progress } = tools
  const database = join(folder, 'competitors.sqlite')
  copyFileSync(site.source, database)
  progress('Preparing Astro and Eleventy')
  const astro = createAstroSite(folder, database, false)
  const incremental = createAstroSite(folder, database, true)
  const eleventy = await createEleventySite(folder, database, site)
  rmSync(eleventy.output, { recursive: true, force: true })
  await meter.warmUp({ id: 'astro', command: astro.command })
  await meter.warmUp({ id: 'eleventy', command: eleventy.command })
  await meter.run({ id: 'astro-incremental-new', command: incremental.command })
  return { database, astro, incremental, eleventy }
}

async function prepareSite(size: Size, { folder, settings, meter, progress }: Tools): Promise<BenchSite> {
  const sellers = settings.sellers[size]
  const data = await ensureData(folder, sellers, progress)
  const site = createSite(folder, sellers)
  const importing = createImport(site, data)
  const building = createRebuild(site)
  if (size === 'large') {
    await meter.run({ id: 'import', command: { ...importing, watchesMemory: true } })
    await meter.run({ id: 'first', command: { ...building, watchesMemory: true } })
  } else {
    progress(`Importing and building ${formatCount(sellers)} sellers`)
    await runMeasured(importing)
    await runMeasured(building)
  }
  return site
}
