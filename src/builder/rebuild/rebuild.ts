/** A rebuild from start to end: read, plan, render, write, record. */
import { formatCount, formatNumber } from '../format-numbers.ts'
import type { SitePlan } from './plan-site.ts'
import { POOL_FROM } from './plan-site.ts'
import type { Problem } from '../../domain/documents/document.ts'
import type { Totals } from '../state/snapshot/snapshot.ts'
import { createRunChanges } from './protocol.ts'
import { checkCase } from './check-case.ts'
import type { KeptRenderer } from '../renderer/compile.ts'
import type { SiteState } from './execute.ts'
import { renderPages, settlePages, settleSellers } from './execute.ts'
import type { StageTime } from './timings.ts'
import { createTimings } from './timings.ts'
import type { RebuildPreparation } from './prepare-rebuild.ts'
import { prepareRebuild } from './prepare-rebuild.ts'
import type { PageFailure } from './render-page.ts'
import { createPageRenderer } from './render-page.ts'
import { settlePictures } from './retained-pictures.ts'
import type { StaticFile } from './static-files.ts'
import { readStaticFiles } from './static-files.ts'
import type { World } from './world.ts'
import { dropStaticFiles, writeStaticFiles } from './write-static.ts'
import type { DataBasis } from '../state/record/record.ts'

export interface RebuildOutcome {
  readonly preparation: RebuildPreparation
  readonly totals: Totals
  readonly problems: readonly Problem[]
  readonly failures: readonly PageFailure[]
  readonly isCompiled: boolean
  readonly timings: readonly StageTime[]
  /** Some file of the output folder was written or removed. */
  readonly isTouched: boolean
  /** Nothing but the plan was made. */
  readonly isDry: boolean
}

/** Makes the plan and changes nothing that lasts: snapshot and record of `world` are copies. */
export async function dryRun(world: World): Promise<RebuildOutcome> {
  const timings = createTimings(world.now)
  const preparation = await prepareRebuild(world, timings, true)
  return {
    ...readSummary(world),
    preparation,
    failures: [],
    isCompiled: preparation.code.isCompiled(),
    isTouched: false,
    timings: timings.read(),
    isDry: true,
  }
}

export async function rebuild(world: World): Promise<RebuildOutcome> {
  const timings = createTimings(world.now)
  const preparation = await prepareRebuild(world, timings)
  const { plan, check, number, code } = preparation
  const wasCompiled = code.isCompiled()
  const isNeeded = plan.render.length > 0 || check !== null
  const kept = isNeeded ? await code.openRenderer() : code.findRenderer()
  if (code.isCompiled() && !wasCompiled) timings.end('compile')

  const changes = createRunChanges(world.state, preparation.isWhole)
  const site: SiteState = { ...world.state, output: changes.output, generation: number }
  if (plan.render.some(({ reason }) => reason === 'new')) checkCase(world.state)
  const files = readStaticFiles(world, kept)
  for (const path of check?.blocking ?? []) changes.output.remove(path)
  writeStaticFiles(files, site)
  const failures = kept === null ? [] : await render(world, site, plan, kept)
  timings.end('render')
  finish(site, { preparation, files, failures })
  const isTouched = changes.hasBegun()
  changes.end()
  world.state.output.tidy()
  if (world.options.isVerify) await verifyReferences(world)
  timings.end('finish')
  return {
    ...readSummary(world),
    preparation,
    failures,
    isCompiled: code.isCompiled(),
    isTouched,
    timings: timings.read(),
    isDry: false,
  }
}

// The parsers are loaded only by a run that needs them.
async function verifyReferences({ state, progress }: World): Promise<void> {
  progress('Checking every reference')
  const { checkReferences } = await import('./check-references.ts')
  await checkReferences(state.output, state.record)
}

interface Rendered {
  readonly preparation: RebuildPreparation
  readonly files: readonly StaticFile[]
  readonly failures: readonly PageFailure[]
}

// New assets stood before the pages that refer to them; old ones go after.
function finish(site: SiteState, { preparation, files, failures }: Rendered): void {
  const { snapshot, record, pictures } = site
  const { plan, pictureChanges, basis } = preparation
  settlePages(plan, site)
  settlePictures(site)
  dropStaticFiles(files, site)
  // Not before: had nothing been rendered, the pages of before would be all there is.
  const kept = new Set(failures.map(({ path }) => path))
  const { unlisted, damaged } = preparation.check ?? { unlisted: [], damaged: [] }
  // Of what was damaged, the record has forgotten what no page needs any more.
  for (const path of [...unlisted, ...damaged]) {
    if (!record.hasFile(path) && !kept.has(path)) site.output.remove(path)
  }
  settleSellers(plan, failures, site)
  record.writeTotals(snapshot.readTotals())
  pictures.forgetChanges(pictureChanges.version)
  record.writePictures(pictureChanges.version)
  if (!isSameBasis(record.readDataBasis(), basis)) record.writeDataBasis(basis)
}

function isSameBasis(one: DataBasis | null, other: DataBasis): boolean {
  return one?.data === other.data && one.drawings === other.drawings
}

async function render(
  { renderers, progress: tell }: World,
  site: SiteState,
  { render: steps }: SitePlan,
  kept: KeptRenderer,
): Promise<readonly PageFailure[]> {
  if (steps.length === 0) return []
  const direct = createPageRenderer(await renderers.load(kept), site.generation)
  const pool = steps.length < POOL_FROM ? null : await renderers.openPool(kept, site.generation, direct)
  const total = formatCount(steps.length, 'page')
  const progress = (done: number): void => tell(`Rendering: ${formatNumber(done)} of ${total}`)
  try {
    return await renderPages(steps, site, { renderer: pool ?? direct, width: pool?.width ?? 1, progress })
  } finally {
    await pool?.close()
  }
}

function readSummary({ state: { snapshot } }: World): {
  totals: Totals
  problems: readonly Problem[]
} {
  return { totals: snapshot.readTotals(), problems: snapshot.readProblems() }
}
