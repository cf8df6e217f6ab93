/** What must be true of a site on disk, whichever way the runs before went. */
import { MARKER } from '../../src/builder/state/output/output-identity.ts'
import { checkEqual, fail } from './check-run.ts'
import type { RebuildRun } from './rebuild-process.ts'
import type { Lane } from './lanes.ts'
import { runMake } from './lanes.ts'
import type { Place } from './place.ts'
import { readRetained } from './retained.ts'
import type { ScenarioRun } from './scenarios.ts'
import type { SiteFiles } from './site-files.ts'
import { findTorn, readSite } from './site-files.ts'
import type { Strike } from './strike-plan.ts'

/** What a run is called with, and the site that it is to come to. */
export interface Goal {
  readonly make: ScenarioRun
  readonly clean: SiteFiles
}

const MARKERS = /^(run [0-9a-f-]{36}|[0-9a-f]{64})\n$/

/** No file may be anything but complete old or complete new. */
export function checkWhole(actual: SiteFiles, sites: readonly SiteFiles[]): void {
  const torn = findTorn(actual, sites).filter((path) => path !== MARKER)
  fail(torn.map((path) => `${path} is neither old nor new: ${describe(actual.get(path))}`))
  const marker = actual.get(MARKER)?.toString()
  if (marker !== undefined && !MARKERS.test(marker)) fail([`the marker is torn: ${JSON.stringify(marker)}`])
}

/** The site must be that of a clean build, apart from retained files. */
export function checkOutput(place: Place, { clean }: Pick<Goal, 'clean'>): void {
  checkEqual(readSite(place.output), clean, readRetained(place))
}

/** Throws unless the run ends well: nothing that happened before may stand in its way. */
export async function runWell(
  lane: Lane,
  make: ScenarioRun,
  strike: Partial<Strike> | null = null,
): Promise<RebuildRun> {
  const run = await runMake(lane, make, strike)
  if (run.exit !== 0) fail([`a run that nothing disturbs ends with ${run.exit}: ${run.words.trim()}`])
  return run
}

function describe(bytes: Buffer | undefined): string {
  return bytes === undefined ? 'it is missing' : `${bytes.length} bytes`
}
