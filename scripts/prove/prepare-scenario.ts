/** Prepares a scenario: the old site, the run as it goes undisturbed, and the clean builds of both. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Goal } from './check-output.ts'
import { checkOutput, runWell } from './check-output.ts'
import { fail } from './check-run.ts'
import type { Lane } from './lanes.ts'
import { copySite, findProject, writeLaneDocuments } from './lanes.ts'
import { emptyFolder } from './place.ts'
import type { ScenarioRun, Scenario } from './scenarios.ts'
import type { SiteFiles } from './site-files.ts'
import { readSite } from './site-files.ts'
import type { Counts } from './strike-plan.ts'

export interface Prepared {
  readonly scenario: Scenario
  /** The old site with its source and its state. */
  readonly base: string
  readonly before: Goal
  readonly after: Goal
  /** Each file must be as in one of them at any instant. */
  readonly sites: readonly SiteFiles[]
  /** The operations of the run, in their order. */
  readonly operations: readonly string[]
  /** How long it takes. */
  readonly ms: number
}

/** `folder` is for what is kept of it. */
export async function prepareScenario(
  scenario: Scenario,
  lane: Lane,
  { folder, counts }: { readonly folder: string; readonly counts: Counts },
): Promise<Prepared> {
  emptyFolder(folder)
  const base = join(folder, 'base')
  const trace = join(folder, 'trace')
  const last = scenario.past.at(-1) ?? scenario.next
  const before = { make: last, clean: await buildClean(lane, last) }
  const after = { make: scenario.next, clean: await buildClean(lane, scenario.next) }
  await createBase(scenario, lane)
  copySite(lane.folder, base)
  const old = readSiteIfThere(lane.place.output)
  await layOut({ scenario, base, before }, lane)
  const { ms } = await runWell(lane, scenario.next, { trace, counts })
  checkOutput(lane.place, after)
  const sites = [old, readSite(lane.place.output)]
  const operations = readFileSync(trace, 'utf8').split('\n')
  return { scenario, base, before, after, sites, operations, ms }
}

/** The old site with the new documents, just before the run that is struck. */
export async function layOut(
  { scenario, base, before }: Pick<Prepared, 'scenario' | 'base'> & { readonly before: Goal },
  lane: Lane,
): Promise<void> {
  copySite(base, lane.folder)
  await writeLaneDocuments(lane.place, before.make.documents, scenario.next.documents)
  if (!scenario.isCompiled)
    rmSync(findProject(lane, scenario.next).renderer, { recursive: true, force: true })
}

export function readSiteIfThere(output: string): SiteFiles {
  return existsSync(output) ? readSite(output) : new Map()
}

async function createBase({ past, harm }: Scenario, lane: Lane): Promise<void> {
  emptyFolder(lane.folder)
  let written: ScenarioRun | null = null
  for (const make of past) {
    await writeLaneDocuments(lane.place, written?.documents ?? null, make.documents)
    await runWell(lane, make)
    written = make
  }
  harm(lane.place)
}

async function buildClean(lane: Lane, make: ScenarioRun): Promise<SiteFiles> {
  emptyFolder(lane.folder)
  await writeLaneDocuments(lane.place, null, make.documents)
  await runWell(lane, { ...make, args: [] })
  const files = readSite(lane.place.output)
  if (files.size === 0) fail(['a clean build makes no site'])
  return files
}
