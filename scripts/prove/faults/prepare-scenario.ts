/**
 * Prepares scenarios: the old site, an undisturbed run, and clean builds of the old and new data. Then runs each
 * scenario with kills or faults.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { inLanes } from '../../../src/domain/work/batches.ts'
import type { Goal } from './check-output.ts'
import { checkOutput, runWell } from './check-output.ts'
import { explainDifference, fail } from '../difference.ts'
import type { Sandbox, Sandboxes } from './sandboxes.ts'
import { copySite, findProject, writeSandboxDocuments } from './sandboxes.ts'
import { emptyFolder } from '../site/place.ts'
import type { RunSpec, Scenario } from './scenarios.ts'
import type { SiteFiles } from '../site/site-files.ts'
import { readSite } from '../site/site-files.ts'
import type { CountedOperations } from './injected-fault.ts'

export interface Prepared {
  readonly scenario: Scenario
  /** Folder with the old site, its source and its state. */
  readonly base: string
  readonly before: Goal
  readonly after: Goal
  /**
   * The old and the new site. At any instant, each file on disk must equal the file of one of them, except the marker
   * and `_headers`.
   */
  readonly sites: readonly SiteFiles[]
  /** The operations of the undisturbed run, in order. */
  readonly operations: readonly string[]
  /** Duration of the undisturbed run. */
  readonly ms: number
}

interface Strikes<Strike> {
  readonly scenarios: readonly Scenario[]
  readonly chooseCounts: (scenario: Scenario) => CountedOperations
  readonly list: (prepared: Prepared) => Iterable<Strike>
  /**
   * Kills a run, or injects a fault into it, in a sandbox with the old site and the new documents. Returns the figures
   * so far, in words.
   */
  readonly strike: (prepared: Prepared, strike: Strike, sandbox: Sandbox) => Promise<string>
  readonly progress: (text: string) => void
}

/**
 * Prepares each scenario, then makes its strikes (runs with a kill or a fault) concurrently, each in a free sandbox.
 */
export async function strikeScenarios<Strike>(
  { all, folder }: Sandboxes,
  { scenarios, chooseCounts, list, strike, progress }: Strikes<Strike>,
): Promise<void> {
  const [first] = all
  for (const [index, scenario] of scenarios.entries()) {
    const { name } = scenario
    progress(`preparing: ${name}`)
    const setup = { folder: join(folder, 'prepared'), counts: chooseCounts(scenario) }
    const prepared = await explainDifference(`scenario: ${name}`, () =>
      prepareScenario(scenario, first, setup),
    )
    const free = [...all]
    await inLanes(list(prepared), all.length, async (one) => {
      const [sandbox] = free.splice(0, 1) as [Sandbox]
      await layOut(prepared, sandbox)
      const figures = await strike(prepared, one, sandbox)
      free.push(sandbox)
      progress(`${figures} (scenario ${index + 1} of ${scenarios.length}: ${name})`)
    })
  }
}

/** Writes the files of the prepared scenario to `folder`, which is emptied first. */
async function prepareScenario(
  scenario: Scenario,
  sandbox: Sandbox,
  { folder, counts }: { readonly folder: string; readonly counts: CountedOperations },
): Promise<Prepared> {
  emptyFolder(folder)
  const base = join(folder, 'base')
  const trace = join(folder, 'trace')
  const last = scenario.past.at(-1) ?? scenario.next
  const before = { spec: last, clean: await buildClean(sandbox, last) }
  const after = { spec: scenario.next, clean: await buildClean(sandbox, scenario.next) }
  await createBase(scenario, sandbox)
  copySite(sandbox.folder, base)
  const old = readSiteIfThere(sandbox.place.output)
  await layOut({ scenario, base, before }, sandbox)
  const { ms } = await runWell(sandbox, scenario.next, { trace, counts })
  checkOutput(sandbox.place, after)
  const sites = [old, readSite(sandbox.place.output)]
  const operations = readFileSync(trace, 'utf8').split('\n')
  return { scenario, base, before, after, sites, operations, ms }
}

/**
 * Copies the old site into the sandbox, and writes the new documents to its source, ready for a run of the scenario.
 */
async function layOut(
  { scenario, base, before }: Pick<Prepared, 'scenario' | 'base'> & { readonly before: Goal },
  sandbox: Sandbox,
): Promise<void> {
  copySite(base, sandbox.folder)
  await writeSandboxDocuments(sandbox.place, before.spec.documents, scenario.next.documents)
  if (!scenario.isCompiled)
    rmSync(findProject(sandbox, scenario.next).renderer, { recursive: true, force: true })
}

export function readSiteIfThere(output: string): SiteFiles {
  return existsSync(output) ? readSite(output) : new Map()
}

async function createBase({ past, harm }: Scenario, sandbox: Sandbox): Promise<void> {
  emptyFolder(sandbox.folder)
  let written: RunSpec | null = null
  for (const spec of past) {
    await writeSandboxDocuments(sandbox.place, written?.documents ?? null, spec.documents)
    await runWell(sandbox, spec)
    written = spec
  }
  harm(sandbox.place)
}

export async function buildClean(sandbox: Sandbox, spec: RunSpec): Promise<SiteFiles> {
  emptyFolder(sandbox.folder)
  await writeSandboxDocuments(sandbox.place, null, spec.documents)
  await runWell(sandbox, { ...spec, args: [] })
  const files = readSite(sandbox.place.output)
  if (files.size === 0) fail(['a clean build wrote no files'])
  return files
}
