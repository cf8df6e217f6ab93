/** A rebuild from start to end: read, plan, render, write, record. */
import { formatCount, formatNumber } from '../format-numbers.ts'
import type { Problem } from '../../domain/documents/document.ts'
import type { Totals } from '../state/snapshot/snapshot.ts'
import { createChanges } from './protocol.ts'
import { checkCase } from './check-case.ts'
import type { KeptRenderer } from '../renderer/compile.ts'
import type { Site } from './execute.ts'
import { renderPages, settlePages, settleSellers } from './execute.ts'
import type { Lap } from './timings.ts'
import { createLaps } from './timings.ts'
import type { SitePlan } from './plan-site.ts'
import type { Preparation } from './prepare-rebuild.ts'
import { prepareRebuild } from './prepare-rebuild.ts'
import type { PageFailure } from './render-page.ts'
import { createPageRenderer } from './render-page.ts'
import { settlePictures } from './retained-pictures.ts'
import type { StaticFile } from './static-files.ts'
import { readStaticFiles } from './static-files.ts'
import type { World } from './world.ts'
import { dropStaticFiles, writeStaticFiles } from './write-static.ts'

/** Starting workers pays from about this many pages on. */
const POOL_FROM = 200

export interface Outcome {
  readonly preparation: Preparation
  readonly totals: Totals
  readonly problems: readonly Problem[]
  readonly failures: readonly PageFailure[]
  readonly isCompiled: boolean
  readonly laps: readonly Lap[]
  /** Some file of the output folder was written or removed. */
  readonly isTouched: boolean
  /** Nothing but the plan was made. */
  readonly isDry: boolean
}

/** Makes the plan and changes nothing that lasts: snapshot and record of `world` are copies. */
export async function dryRun(world: World): Promise<Outcome> {
  const laps = createLaps(world.now)
  const preparation = await prepareRebuild(world, laps, true)
  return {
    ...readSummary(world),
    preparation,
    failures: [],
    isCompiled: false,
    isTouched: false,
    laps: laps.read(),
    isDry: true,
  }
}

export async function rebuild(world: World): Promise<Outcome> {
  const laps = createLaps(world.now)
  const preparation = await prepareRebuild(world, laps)
  const { plan, check, number } = preparation
  const found = world.findRenderer()
  const isCompiled = found === null && (plan.render.length > 0 || check !== null)
  if (isCompiled) world.progress('Compiling')
  const kept = isCompiled ? await world.compile() : found
  if (isCompiled) laps.end('compile')

  const changes = createChanges(world, preparation.isWhole)
  const site: Site = {
    snapshot: world.snapshot,
    record: world.record,
    output: changes.output,
    pictures: world.pictures,
    generation: number,
  }
  if (plan.render.some(({ reason }) => reason === 'new')) checkCase(world)
  const files = readStaticFiles(world, kept)
  for (const path of check?.blocking ?? []) changes.output.remove(path)
  writeStaticFiles(files, site)
  const failures = kept === null ? [] : await render(world, site, plan, kept)
  laps.end('render')
  finish(world, site, { preparation, files, failures })
  const isTouched = changes.hasBegun()
  changes.end()
  world.output.tidy()
  if (world.options.isVerify) await verifyReferences(world)
  laps.end('finish')
  const summary = readSummary(world)
  return { ...summary, preparation, failures, isCompiled, isTouched, laps: laps.read(), isDry: false }
}

// The parsers are loaded only by a run that needs them.
async function verifyReferences({ output, record, progress }: World): Promise<void> {
  progress('Checking every reference')
  const { checkReferences } = await import('./check-references.ts')
  await checkReferences(output, record)
}

// New assets stood before the pages that refer to them; old ones go after.
function finish(
  { snapshot, record, pictures }: World,
  site: Site,
  { preparation, files, failures }: Rendered,
): void {
  settlePages(preparation.plan, site)
  settlePictures(site)
  dropStaticFiles(files, site)
  // Not before: had nothing been rendered, the pages of before would be all there is.
  const kept = new Set(failures.map(({ path }) => path))
  const { unlisted, damaged } = preparation.check ?? { unlisted: [], damaged: [] }
  // Of what was damaged, the record has forgotten what no page needs any more.
  for (const path of [...unlisted, ...damaged]) {
    if (!record.hasFile(path) && !kept.has(path)) site.output.remove(path)
  }
  settleSellers(preparation.plan, failures, site)
  record.writeTotals(snapshot.readTotals())
  pictures.forgetNews(preparation.news.version)
  record.writePictures(preparation.news.version)
}

interface Rendered {
  readonly preparation: Preparation
  readonly files: readonly StaticFile[]
  readonly failures: readonly PageFailure[]
}

async function render(
  world: World,
  site: Site,
  { render: steps }: SitePlan,
  kept: KeptRenderer,
): Promise<readonly PageFailure[]> {
  if (steps.length === 0) return []
  const direct = createPageRenderer(await world.loadRenderer(kept), site.generation)
  const pool = steps.length < POOL_FROM ? null : await world.openPool(kept, site.generation, direct)
  const total = formatCount(steps.length, 'page')
  const progress = (done: number): void => world.progress(`Rendering: ${formatNumber(done)} of ${total}`)
  try {
    return await renderPages(steps, site, { renderer: pool ?? direct, width: pool?.width ?? 1, progress })
  } finally {
    await pool?.close()
  }
}

function readSummary({ snapshot }: World): { totals: Totals; problems: readonly Problem[] } {
  return { totals: snapshot.readTotals(), problems: snapshot.readProblems() }
}
