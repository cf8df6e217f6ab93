/** Prepares everything that is measured: data, built sites and the other generators. */
import { copyFileSync, mkdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { formatNumber } from '../../../src/builder/format-numbers.ts'
import { UsageError } from '../../../src/builder/files/usage-error.ts'
import type { Competitor } from './astro-site.ts'
import { createAstroSite } from './astro-site.ts'
import { createEleventySite } from './eleventy-site.ts'
import type { Meter, SubjectId } from './meter.ts'
import { formatDisk } from '../../measure/format-figures.ts'
import type { MeasuredCommand } from '../../measure/run-measured.ts'
import { runMeasured } from '../../measure/run-measured.ts'
import type { BenchSettings, Size } from './bench-settings.ts'
import type { BenchSite } from './bench-site.ts'
import { createExport, createImport, createRebuild, createBenchSite } from './bench-site.ts'
import { ensureData } from '../write-data.ts'

export interface Sites extends Readonly<Record<Size, BenchSite>> {
  readonly crowded: BenchSite
  /** Has the same sellers as `middle`, and a page for each product. */
  readonly products: BenchSite
}

export interface Competitors {
  /** Path of a copy of the documents, so that edits of our own sites do not reach the other generators. */
  readonly database: string
  readonly astro: Competitor
  readonly incremental: Competitor
  readonly eleventy: Competitor
  /** Eleventy with the documents of the small site. */
  readonly eleventySmall: Competitor
}

export interface Tools {
  readonly folder: string
  readonly settings: BenchSettings
  readonly meter: Meter
  readonly progress: (text: string) => void
}

/**
 * Throws if the disk of `folder` has fewer than `needed` free bytes. `otherwise` is advice for the end of the error.
 */
export function requireSpace(folder: string, needed: number, otherwise: string): void {
  mkdirSync(folder, { recursive: true })
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  if (free >= needed) return
  throw new UsageError(
    `${folder} has ${formatDisk(free)} of free disk space, but the bench needs ${formatDisk(needed)}: choose another folder with --folder, or ${otherwise}.`,
  )
}

/**
 * Imports and builds the sites. Measures both steps for the largest site, the import for a smaller one, and the first
 * build with product pages. Measures `verify` and `export` of the largest and the smaller site before other generators
 * run, because after those have written for minutes, a disk read takes 3 to 17 ms instead of 0.2 ms.
 */
export async function prepareSites(tools: Tools): Promise<Sites> {
  const { sellers, part, crowded } = tools.settings
  // The first build compiles the renderer, so it is not measured.
  const small = await prepareSite({ name: 'site-small', sellers: sellers.small }, tools)
  const middle = await prepareSite({ name: 'site-middle', sellers: sellers.middle }, tools)
  const { products: largest, others } = crowded
  const crowdedSite = await prepareSite({ name: 'site-crowded', sellers: others, largest }, tools)
  const partSite = await prepareSite({ name: 'site-part', sellers: part, importAs: 'import-part' }, tools)
  const large = await prepareSite(
    { name: 'site-large', sellers: sellers.large, importAs: 'import', firstAs: 'first' },
    tools,
  )
  await measureReads(partSite, large, tools)
  const products = await prepareSite(
    { name: 'site-products', sellers: sellers.middle, hasProductPages: true, firstAs: 'products-first' },
    tools,
  )
  return { small, middle, crowded: crowdedSite, products, large }
}

// Measures the smaller site before and after the large one, because the speed of a disk changes within minutes.
async function measureReads(part: BenchSite, large: BenchSite, { meter }: Tools): Promise<void> {
  const measure = async (site: BenchSite, suffix: '' | '-part'): Promise<void> => {
    const verify = { ...createRebuild(site, '--verify'), watchesMemory: true }
    await meter.run({ id: `verify${suffix}`, command: verify })
    await meter.run({ id: `export${suffix}`, command: { ...createExport(site), watchesMemory: true } })
  }
  await measure(part, '-part')
  await measure(large, '')
  await measure(part, '-part')
}

/**
 * Prepares Astro and Eleventy; `sites` must be built. Runs each build of the middle site once: this fills the caches of
 * Astro and Eleventy, and measures Astro's first incremental build.
 */
export async function prepareCompetitors(sites: Sites, tools: Tools): Promise<Competitors> {
  const { folder, meter, progress } = tools
  const [database, few] = [join(folder, 'competitors.sqlite'), join(folder, 'competitors-small.sqlite')]
  copyFileSync(sites.middle.source, database)
  copyFileSync(sites.small.source, few)
  progress('Preparing Astro and Eleventy')
  const astro = createAstroSite(folder, database, false)
  const incremental = createAstroSite(folder, database, true)
  const eleventy = await createEleventySite(join(folder, 'eleventy'), database, sites.middle)
  const eleventySmall = await createEleventySite(join(folder, 'eleventy-small'), few, sites.small)
  for (const { output } of [eleventy, eleventySmall]) rmSync(output, { recursive: true, force: true })
  await meter.warmUp({ id: 'astro', command: astro.command })
  await meter.warmUp({ id: 'eleventy', command: eleventy.command })
  await meter.run({ id: 'astro-incremental-new', command: incremental.command })
  return { database, astro, incremental, eleventy, eleventySmall }
}

interface SiteOrder {
  readonly name: string
  readonly sellers: number
  /** Number of products of one additional, large seller. */
  readonly largest?: number
  readonly hasProductPages?: boolean
  /** Ids under which the import and the first build are recorded; a step without an id is not measured. */
  readonly importAs?: SubjectId
  readonly firstAs?: SubjectId
}

async function prepareSite(order: SiteOrder, { folder, meter, progress }: Tools): Promise<BenchSite> {
  const { name, sellers, largest = null, hasProductPages = false, importAs, firstAs } = order
  const data = await ensureData(folder, { sellers, largest }, progress)
  const site = createBenchSite(folder, name, { sellers, hasProductPages })
  const run = async (id: SubjectId | undefined, command: MeasuredCommand): Promise<void> => {
    if (id === undefined) await runMeasured(command)
    else await meter.run({ id, command: { ...command, watchesMemory: true } })
  }
  progress(`Importing and building ${formatNumber(sellers)} sellers`)
  await run(importAs, createImport(site, data))
  await run(firstAs, createRebuild(site))
  return site
}
