/** The first half of a rebuild, and all of a dry run: reads the source and makes the plan. */
import { isLinked, readAtRisk } from './protocol.ts'
import type { CheckResult } from './check/check-files.ts'
import type { ReferenceCheck } from './check/check-references.ts'
import { findDifferences, findLost } from './check/check-files.ts'
import { UsageError } from '../state/usage-error.ts'
import type { DataBasis } from '../state/record/record.ts'
import type { Timings } from './timings.ts'
import type { OutputTrust } from '../state/output/output-identity.ts'
import { readOutputTrust } from '../state/output/output-identity.ts'
import type { PicturePreparation } from '../pictures/pictures.ts'
import { NOTHING_PREPARED } from '../pictures/pictures.ts'
import { readCatalogues } from './plan/seller-pages.ts'
import type { PlanInput, SitePlan } from './plan/plan-site.ts'
import { planSite } from './plan/plan-site.ts'
import { markLostPictures } from './retained-pictures.ts'
import { readDocuments } from './read/read-documents.ts'
import type { ReadResult } from './read/read-source.ts'
import type { RebuildState, World } from './world.ts'
import { createDataBasis } from './plan/data-basis.ts'
import type { RenderingCode } from './open-code.ts'
import { openCode } from './open-code.ts'

export interface RebuildPreparation {
  readonly read: ReadResult
  readonly trust: OutputTrust
  readonly plan: SitePlan
  readonly planInput: PlanInput
  readonly code: RenderingCode
  readonly basis: DataBasis
  /** The generation's number in the record. */
  readonly number: number
  /** True if every page is planned and every file is compared with the record. */
  readonly isWhole: boolean
  /**
   * The result of comparing files with the record, all of them or those at risk after a power cut; `null` if no files
   * were compared.
   */
  readonly check: CheckResult | null
  /**
   * The references in undamaged files, read before the run changes any file; `null` without `--verify` and in a dry
   * run.
   */
  readonly references: ReferenceCheck | null
  readonly pictures: PicturePreparation
}

export async function prepareRebuild(
  world: World,
  timings: Timings,
  isDry = false,
): Promise<RebuildPreparation> {
  const { record, output, pictures: store } = world.state
  const trust = readOutputTrust(output, record)
  if (trust === 'foreign') {
    throw new UsageError(
      'The output folder has files that do not belong to this site. Choose another folder with --out, or empty this one.',
    )
  }
  const atRisk = readAtRisk(record, world.boot)
  // Protocol state `identified`. Checked before the read, because the read changes the snapshot.
  const isOther = !isLinked(world.state) || !isStoreKnown(world.state)
  const { waits } = world.state.snapshot
  waits.beginRun()
  if (isOther) waits.compare()
  const isWhole = trust !== 'trusted' || world.options.isVerify || isOther || atRisk === 'all'
  // Protocol state `read`. The snapshot gets the changed documents.
  const read = await readDocuments(world, isDry)
  world.state.snapshot.limitProducts(world.inputs.maxProducts)
  timings.end('read')
  const references = world.options.isVerify && !isDry ? await openReferenceCheck(world) : null
  const check = isWhole || atRisk === 'listed' ? await checkFiles(world, isWhole, references) : null
  if (check !== null) timings.end('check')
  // Protocol state `compiled`. The record gets the fingerprint of each kind of page.
  const code = await openCode(world)
  if (code.isCompiled()) timings.end('compile')
  const basis = createDataBasis(world)
  // Protocol state `planned`. The record gets the generation.
  const number = record.openGeneration(code.generation)
  if (record.readDataBasis()?.data !== basis.data) waits.compare()
  const pictured = new Set<string>()
  const makePlan = (): Planned => {
    for (const seller of takePictures(world.state)) pictured.add(seller)
    const isCompared = waits.isCompared()
    return createPlan(world, { pictured, code, number, isWhole: isWhole || isCompared })
  }
  const renewed = store.renewOwn(world.inputs.publicFiles)
  const planned = makePlan()
  const { plan } = planned
  timings.end('plan')
  const prepared = { read, trust, code, basis, number, isWhole, check, references }
  const isAllNew = havePicturesChanged(record.readDataBasis(), basis)
  const shown = plan.render.map(({ seller }) => seller)
  const isTouched = renewed.length > 0 || shown.length > 0 || plan.remove.length > 0 || isAllNew
  if (isDry || !isTouched) return { ...prepared, ...planned, pictures: NOTHING_PREPARED }
  const pictures = await preparePictures(world, plan, {
    sellers: [...renewed, ...shown.flatMap((seller) => seller ?? [])],
    isAllNew,
  })
  timings.end('photos')
  if (!pictures.hasChanges) return { ...prepared, ...planned, pictures }
  return { ...prepared, ...makePlan(), pictures }
}

interface PlanParts extends Pick<RebuildPreparation, 'code' | 'number' | 'isWhole'> {
  readonly pictured: ReadonlySet<string>
}

type Planned = Pick<RebuildPreparation, 'plan' | 'planInput'>

function createPlan({ options, inputs, state }: World, parts: PlanParts): Planned {
  const { code } = parts
  const { snapshot, record } = state
  const planInput: PlanInput = {
    ...state,
    ...parts,
    publicFiles: inputs.publicFiles,
    settings: inputs.settings,
    generation: code.generation,
    isFull: options.isFull,
  }
  const plan = snapshot.readTogether(() => record.readTogether(() => planSite(planInput)))
  return { plan, planInput }
}

// Returns true if the drawings or the settings of pictures changed, so that all pages need new pictures. The plan does
// not show this, because the data of a page changes only after its new pictures are ready.
function havePicturesChanged(recorded: DataBasis | null, basis: DataBasis): boolean {
  return recorded?.drawings !== basis.drawings || recorded.parts?.pictures !== basis.parts?.pictures
}

// Max sellers of a site whose rebuilds draw all missing pictures for shared links without a time limit. Drawing one
// picture takes less than 0.5 s.
const SMALL_SITE = 32

// Makes missing pictures: of the `touched` sellers, or of all sellers if `isAllNew` or if the site has just become
// small. New pictures may also change pages of other sellers who show the same photos.
function preparePictures(
  { inputs, state, progress }: World,
  { remove }: SitePlan,
  { sellers: touched, isAllNew }: { readonly sellers: readonly string[]; readonly isAllNew: boolean },
): Promise<PicturePreparation> {
  const { snapshot, pictures } = state
  const drawsAll = snapshot.readTotals().sellers <= SMALL_SITE
  // If this run removes pages, the site may have just become small. Then the pictures of all its sellers are drawn.
  const isSmaller = drawsAll && remove.length > 0
  const data = { snapshot, publicFiles: new Set(Object.keys(inputs.publicFiles)) }
  const sellers = isSmaller || isAllNew ? [...snapshot.readSellers()] : [...new Set(touched)]
  progress('Making pictures')
  return pictures.prepare(readCatalogues(data, sellers), drawsAll)
}

// Returns false if the picture store cannot list its changes since the snapshot's position, for example because the
// store was lost or restored. Pages may then show pictures that the store lacks.
function isStoreKnown({ snapshot, pictures }: RebuildState): boolean {
  return pictures.readChanges(snapshot.readPictures()) !== null
}

/**
 * Adds the sellers whose pictures changed since the last call to the waiting sellers. Returns those who were not
 * already waiting for `files`.
 */
function takePictures({ snapshot, pictures }: RebuildState): readonly string[] {
  const version = pictures.readVersion()
  const position = snapshot.readPictures()
  if (position?.identity === version.identity && position.sequence === version.sequence) return []
  const sellers = pictures.readChanges(position) ?? []
  const waiting = new Set(snapshot.waits.list())
  snapshot.applyPictures(sellers, version)
  return sellers.filter((seller) => !waiting.has(seller))
}

// Imported on demand: only `--verify` needs the parsers.
async function openReferenceCheck({ state }: World): Promise<ReferenceCheck> {
  const { createReferenceCheck } = await import('./check/check-references.ts')
  return createReferenceCheck(state)
}

async function checkFiles(
  { inputs, state, progress, files: reader }: World,
  isWhole: boolean,
  references: ReferenceCheck | null,
): Promise<CheckResult> {
  const { output, record, pictures } = state
  progress(formatCheck(isWhole, references !== null))
  const { publicFiles } = inputs
  const check = isWhole
    ? await findDifferences(state, { reader, references, publicFiles })
    : findLost(output, record)
  record.markUnsurePaths(check.damaged)
  markLostPictures(record, pictures)
  return check
}

function formatCheck(isWhole: boolean, withReferences: boolean): string {
  if (!isWhole) return 'Checking the files that a power cut may have damaged'
  return withReferences ? 'Checking every file and reference' : 'Checking every file'
}
