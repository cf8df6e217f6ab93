/** Builds with other generators, each time with twice as many sellers, until a build takes too long or fails. */
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { formatNumber } from '../../../src/builder/format-numbers.ts'
import { formatMeasured, formatMemory } from '../../measure/format-figures.ts'
import { runMeasured } from '../../measure/run-measured.ts'
import type { Competitor } from '../rebuilds/astro-site.ts'
import { createAstroSite } from '../rebuilds/astro-site.ts'
import type { BenchSite } from '../rebuilds/bench-site.ts'
import { buildBenchSite, createBenchSite } from '../rebuilds/bench-site.ts'
import { createEleventySite } from '../rebuilds/eleventy-site.ts'
import { ensureData } from '../write-data.ts'
import { createHugoSite } from './hugo-site.ts'

interface ReachTools {
  readonly folder: string
  /** Max ms for one build. */
  readonly time: number
  readonly progress: (text: string) => void
}

type CreateCompetitor = (folder: string, site: BenchSite) => Competitor | Promise<Competitor>

const FEWEST = 500

const GENERATORS: Readonly<Record<string, CreateCompetitor>> = {
  Hugo: createHugoSite,
  Eleventy: (folder, site) => createEleventySite(join(folder, 'eleventy'), site.source, site),
  Astro: (folder, { source }) => createAstroSite(folder, source, false),
}

/** Returns the lines of a report: two heading lines, then one line for each generator. */
export async function measureReach({ folder, time, progress }: ReachTools): Promise<readonly string[]> {
  const lines = [
    `Largest number of catalogue pages (25 products each) that other generators built within ${formatMeasured(time)}, starting with ${FEWEST} and doubling:`,
    'Hugo’s pages have no structured data, and no buttons on their cards.',
  ]
  for (const [name, create] of Object.entries(GENERATORS)) {
    if (name === 'Hugo' && spawnSync('hugo', ['version']).error)
      lines.push('        Hugo: not measured, because it is not installed')
    else lines.push(`        ${name}: ${await reach(name, create, { folder, time, progress })}`)
  }
  return lines
}

async function reach(
  name: string,
  create: CreateCompetitor,
  { folder, time, progress }: ReachTools,
): Promise<string> {
  let best = 'none'
  for (let sellers = FEWEST; ; sellers *= 2) {
    progress(`${name}: ${formatNumber(sellers)} pages`)
    const site = await prepareSite(folder, sellers)
    const { command, output } = await create(folder, site)
    rmSync(output, { recursive: true, force: true })
    try {
      const { ms, peak } = await runMeasured({ ...command, watchesMemory: true, timeout: time })
      best = `${formatNumber(sellers)} in ${formatMeasured(ms)}${peak === null ? '' : ` and ${formatMemory(peak)}`}`
    } catch (error) {
      const isFull = /heap out of memory/i.test(String(error))
      return `${best} (${formatNumber(sellers)}: ${isFull ? 'out of memory' : 'too slow, or failed'})`
    } finally {
      for (const used of [output, site.folder]) rmSync(used, { recursive: true, force: true })
    }
  }
}

/**
 * Builds a site with Vitrina. The other generators all read its documents; Hugo and Eleventy also copy the frame of its
 * pages.
 */
async function prepareSite(folder: string, sellers: number): Promise<BenchSite> {
  const data = await ensureData(folder, { sellers, largest: null }, () => {})
  const site = createBenchSite(folder, 'site-reach', { sellers })
  await buildBenchSite(site, data)
  rmSync(data, { recursive: true })
  return site
}
