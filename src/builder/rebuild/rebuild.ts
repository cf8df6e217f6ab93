/** A rebuild from start to end: read, plan, render, write, record. */
import type { Problem } from '../../domain/documents/document.ts'
import type { HeldRemoval, Snapshot, Totals } from '../state/snapshot/snapshot.ts'
import { forgetInlineCode, isInlineCodeKnown, recordInlineCode } from './static/edge-headers.ts'
import { createRunChanges } from './protocol.ts'
import type { Renames } from './check/check-case.ts'
import { checkCase, removeOldNames } from './check/check-case.ts'
import { markDamaged } from './check/check-files.ts'
import type { WrittenState } from './write-pages.ts'
import { keepPages, removePages, settleSellers } from './write-pages.ts'
import type { StageTime } from './timings.ts'
import { createTimings } from './timings.ts'
import type { RebuildPreparation } from './prepare-rebuild.ts'
import { prepareRebuild } from './prepare-rebuild.ts'
import type { PageFailure } from './render/render-page.ts'
import { renderPlan } from './render/render-plan.ts'
import { updatePictureFiles } from './retained-pictures.ts'
import type { StaticFile } from './static/static-files.ts'
import { readHeaders, readStaticFiles } from './static/static-files.ts'
import type { World } from './world.ts'
import { dropStaticFiles, writeStaticFiles } from './static/write-static.ts'
import type { DataBasis } from '../state/record/record.ts'

export interface RebuildOutcome {
  readonly preparation: RebuildPreparation
  readonly totals: Totals
  readonly held: readonly HeldRemoval[]
  readonly problems: readonly Problem[]
  /** Number of references checked; `null` without `--verify`. */
  readonly references: number | null
  /** Files that were deleted because a check found that they are not part of the site. */
  readonly deleted: readonly string[]
  readonly failures: readonly PageFailure[]
  readonly timings: readonly StageTime[]
  /** True if the run wrote or removed a file in the output folder. */
  readonly isTouched: boolean
  /** True if the run ended after the plan. */
  readonly isDry: boolean
}

/** Makes the plan. `world` must hold copies of the snapshot and the record, because planning changes them. */
export async function dryRun(world: World): Promise<RebuildOutcome> {
  const timings = createTimings(world.now)
  const preparation = await prepareRebuild(world, timings, true)
  return {
    ...readSummary(world),
    preparation,
    references: null,
    deleted: [],
    failures: [],
    isTouched: false,
    timings: timings.read(),
    isDry: true,
  }
}

/** Goes through the states of protocol.ts, except `locked`: the caller holds the locks. */
export async function rebuild(world: World): Promise<RebuildOutcome> {
  const timings = createTimings(world.now)
  const prepared = await prepareRebuild(world, timings)
  const { plan: planned, check, number, code } = prepared
  const wasCompiled = code.isCompiled()
  const isNeeded =
    planned.render.length > 0 || check !== null || !isInlineCodeKnown(world.state.record, number)
  const kept = isNeeded ? await code.openRenderer() : code.findRenderer()
  if (code.isCompiled() && !wasCompiled) timings.end('compile')
  if (kept !== null) recordInlineCode(world.state.record, number, kept)

  const changes = createRunChanges(world.state, { ...prepared, boot: world.boot })
  if (planned.render.some(({ reason }) => reason === 'new')) checkCase(world.state, world.inputs.settings)
  const files = readStaticFiles(world, kept, number)
  // Removes whatever is at the path of the folder of partial files. Workers write into this folder, and a link there
  // would lead them outside of the site.
  world.state.output.tidy()
  changes.output.remove(check?.blocking ?? [])
  const output = removeOldNames(
    { output: changes.output, record: world.state.record },
    findRenames(world, prepared, files),
  )
  const site: WrittenState = { ...world.state, output, generation: number }
  const staticPaths = files.map(({ path }) => path)
  if (world.options.isFull) markDamaged(staticPaths, world.state)
  writeStaticFiles(files, site)
  const { plan, failures } =
    kept === null ? { plan: planned, failures: [] } : await renderPlan(world, site, prepared, kept)
  const preparation = { ...prepared, plan }
  timings.end('render')
  const deleted = finish(site, { preparation, files, failures })
  const isTouched = changes.hasBegun()
  changes.end()
  world.state.output.tidy()
  const references = await endReferences(world, preparation, isTouched)
  timings.end('finish')
  return {
    ...readSummary(world),
    preparation,
    references,
    deleted: [...(check?.blocking ?? []), ...deleted],
    failures,
    isTouched,
    timings: timings.read(),
    isDry: false,
  }
}

function findRenames(
  { state: { record } }: World,
  { plan, check }: RebuildPreparation,
  files: readonly StaticFile[],
): Renames {
  const present = new Set(files.map(({ path }) => path))
  const left = record.readOthers('static').filter(({ path }) => !present.has(path))
  return {
    old: [...[...plan.remove, ...left].map(({ path }) => path), ...(check?.unlisted ?? [])],
    written: [...plan.render.map(({ path }) => path), ...present],
    kept: plan.keep.map(({ path }) => path),
  }
}

// The check at the start has read all references. They are read again only if the run wrote or removed a file since.
async function endReferences(
  { state, progress, files }: World,
  { references }: RebuildPreparation,
  isTouched: boolean,
): Promise<number | null> {
  if (references === null || !isTouched) return references?.end() ?? null
  progress('Checking every reference')
  // Imported on demand: only `--verify` needs the parsers.
  const { checkReferences } = await import('./check/check-references.ts')
  return checkReferences(state, files)
}

interface Rendered {
  readonly preparation: RebuildPreparation
  readonly files: readonly StaticFile[]
  readonly failures: readonly PageFailure[]
}

// Protocol states `removed` and `settled`. Returns the files that were deleted because the check found that they are
// not part of the site.
function finish(site: WrittenState, { preparation, files, failures }: Rendered): readonly string[] {
  const { snapshot, record, pictures } = site
  const { plan, planInput, basis } = preparation
  removePages(plan, site)
  keepPages(plan, site)
  // Narrows the content security policy, which until now also allowed the inline code of the pages that this run has
  // replaced.
  writeStaticFiles([readHeaders(record, site.generation, files)], site)
  dropStaticFiles(files, site)
  // If the record was lost, the files that it does not list may be the whole earlier site, so they are removed after
  // all pages are written. This includes the file of a page that failed: a publish refuses files without a row.
  const { unlisted, damaged } = preparation.check ?? { unlisted: [], damaged: [] }
  // Includes damaged files that are no longer in the record, because no page needs them.
  const strays = [...unlisted, ...damaged].filter((path) => !record.hasFile(path))
  site.output.remove(strays)
  // Must run after all other changes: the first change of a run may increment the number of publishes, and this
  // number decides which pictures are still retained.
  updatePictureFiles(site)
  settleSellers(plan, failures, { site, isWhole: planInput.isWhole || planInput.isFull })
  forgetInlineCode(record, site.generation)
  record.writeTotals(readSourceTotals(snapshot))
  pictures.forgetChanges(snapshot.readPictures())
  if (!isSameBasis(record.readDataBasis(), basis)) record.writeDataBasis(basis)
  return strays
}

// Leaves out documents whose removal is held back. A newly created snapshot would not have them, so the shrink guard
// would count them as removed.
function readSourceTotals(snapshot: Snapshot): Totals {
  const totals = snapshot.readTotals()
  return snapshot.readHeld().reduce(
    ({ sellers, profiles, products }, held) => ({
      sellers,
      profiles: profiles - held.profiles,
      products: products - held.products,
    }),
    totals,
  )
}

function isSameBasis(one: DataBasis | null, other: DataBasis): boolean {
  return one?.data === other.data && one.drawings === other.drawings
}

function readSummary({ state: { snapshot } }: World): Pick<RebuildOutcome, 'totals' | 'held' | 'problems'> {
  return {
    totals: snapshot.readTotals(),
    held: snapshot.readHeld(),
    problems: snapshot.readProblems(),
  }
}
