/** Checks the site on disk after a run that completed, failed or was killed. */
import { HEADERS } from '../../../src/builder/rebuild/static/edge-headers.ts'
import { IDENTITY_FILE } from '../../../src/builder/state/output/output-identity.ts'
import { checkEqual } from '../site/check-run.ts'
import { fail } from '../difference.ts'
import type { SandboxRun, Sandbox } from './sandboxes.ts'
import { runInSandbox } from './sandboxes.ts'
import type { SitePlace } from '../site/place.ts'
import { readRetained } from '../site/place.ts'
import type { RunSpec } from './scenarios.ts'
import type { SiteFiles } from '../site/site-files.ts'
import { findTorn, readSite } from '../site/site-files.ts'
import type { InjectedFault } from './injected-fault.ts'

/** A run, and the files that it must produce, taken from a clean build. */
export interface Goal {
  readonly spec: RunSpec
  readonly clean: SiteFiles
}

const MARKERS = /^(run [0-9a-f-]{36}|[0-9a-f]{64})\n$/

/**
 * Checks that each file is the complete file of the old or of the new site. The marker needs only the right format,
 * because each run writes another one. `_headers` is not compared, because during a run it has rules for both sites.
 */
export function checkWhole(actual: SiteFiles, sites: readonly SiteFiles[]): void {
  const torn = findTorn(actual, sites).filter((path) => path !== IDENTITY_FILE && path !== HEADERS)
  fail(torn.map((path) => `${path} is neither the old file nor the new one: ${describe(actual.get(path))}`))
  const marker = actual.get(IDENTITY_FILE)?.toString()
  if (marker !== undefined && !MARKERS.test(marker)) fail([`the marker is torn: ${JSON.stringify(marker)}`])
}

/** Checks that the site equals a clean build, apart from retained files. */
export function checkOutput(place: SitePlace, { clean }: Pick<Goal, 'clean'>): void {
  checkEqual(readSite(place.output), clean, readRetained(place))
}

/** Runs the command. Throws a `Difference` unless it ends with exit code 0. */
export async function runWell(
  sandbox: Sandbox,
  spec: RunSpec,
  fault?: Partial<InjectedFault>,
): Promise<SandboxRun> {
  const run = await runInSandbox(sandbox, spec, fault === undefined ? {} : { fault })
  if (run.exit !== 0) fail([`a run without a fault ended with exit code ${run.exit}: ${run.words.trim()}`])
  return run
}

function describe(bytes: Buffer | undefined): string {
  return bytes === undefined ? 'it is missing' : `it has ${bytes.length} bytes`
}
