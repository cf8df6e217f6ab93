/** Plays a story: after each step the site must equal a clean build of the same data, code and settings. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findExitCode, EXIT } from '../../../src/builder/commands/exit-codes.ts'
import { changeDocuments, pick, SELLERS } from './change-documents.ts'
import { changeWorld } from './change-world.ts'
import { checkComplete, checkEqual, checkIdle, checkKnowledge, checkMinimal } from '../site/check-run.ts'
import { fail } from '../difference.ts'
import type { StoryOptions } from '../find-failing-story.ts'
import { findFailingStory } from '../find-failing-story.ts'
import type { CleanBuilder } from './clean.ts'
import { createCleanBuilder } from './clean.ts'
import type { Doc, Documents, Shown, ShownChanges, SourceKind } from '../site/documents.ts'
import { applySellers, findShownChanges, isShrink, readShown } from '../site/documents.ts'
import { isForeign } from './foreign.ts'
import type { Stage } from '../site/stage.ts'
import type { Model } from './model.ts'
import { createModel, keepBackup } from './model.ts'
import { hideLostPhotos } from '../site/proof-photos.ts'
import { breakSource, emptyFolder, lose } from '../site/place.ts'
import type { RunResult } from '../site/run-in-process.ts'
import { runInProcess } from '../site/run-in-process.ts'
import type { StoryChange, DrawnChange, StoryRun, Sequence, StoryStep } from './sequence.ts'
import { SEQUENCES } from './sequence.ts'
import { readSite, readStamps } from '../site/site-files.ts'
import { readAllBy, readOne } from '../site/story-code.ts'
import { createSource, updateSource } from '../site/write-source.ts'

type Tell = (line: string) => void

const NONE: Documents = new Map()
const FIRST_RUN: StoryRun = {
  sellers: [],
  isFull: false,
  isVerify: false,
  isShrinkAllowed: false,
  threads: 2,
}

/** Plays random stories until a check fails. Returns the story that failed; `null` if all stories pass. */
export function findDifference(stage: Stage, options: StoryOptions): Promise<string | null> {
  return findFailingStory(SEQUENCES, (story, tell) => play(story, stage, tell), options)
}

/** Throws a `Difference` at the first step after which a check fails. */
async function play(sequence: Sequence, stage: Stage, tell: Tell): Promise<void> {
  emptyFolder(stage.folder)
  const model = createModel(sequence, stage)
  emptyFolder(join(stage.folder, 'site'))
  await createSource(model.place.source, model.kind, model.documents)
  tell(
    `begin: ${model.kind === 'folder' ? 'a folder' : 'an embedded database'} of ${[...model.documents.keys()].slice(0, 20).join(', ')}${sequence.isLarge ? ' …' : ''}`,
  )
  const cleanBuilder = createCleanBuilder(stage)
  const steps: readonly StoryStep[] = [{ changes: [], style: 'update', run: FIRST_RUN }, ...sequence.steps]
  const isRestored = sequence.steps.some(({ changes }) => changes.some(({ kind }) => kind === 'restore'))
  for (const [number, step] of steps.entries()) {
    await playStep(model, step, { stage, cleanBuilder, tell: (line) => tell(`${number}. ${line}`) })
    if (isRestored) keepBackup(model, stage)
  }
}

interface Tools {
  readonly stage: Stage
  readonly cleanBuilder: CleanBuilder
  readonly tell: Tell
}

async function playStep(model: Model, { changes, style, run }: StoryStep, tools: Tools): Promise<void> {
  const { known: before } = model
  for (const change of changes) tools.tell(applyChange(model, change, tools.stage))
  const { place, kind, written, documents } = model
  updateSource(place.source, kind, { before: written, after: documents, style, isDurable: false })
  model.written = documents
  const request = createRequest(model, run)
  const { result, isDivided } = await runUntilDone(model, request, tools.tell)
  model.known = request.target
  model.readBy = model.inputs.code.intake
  model.isDamaged = false
  const actual = readSite(place.output)
  const clean = await tools.cleanBuilder.build(model, request.target)
  checkEqual(actual, clean.files, result.retained)
  checkComplete(actual, result)
  if (request.target === documents) checkKnowledge(result, clean.result)
  if (isQuiet(changes, run) && before instanceof Map && !isDivided)
    checkMinimal(result, findChanges(model, before, request.target))
  await checkSecondRun(model, request)
}

// Pages do not show a photo that is missing from the public folder, so documents are compared without such photos.
function findChanges({ inputs, kind }: Model, before: Documents, after: Documents): ShownChanges {
  const show = (documents: Documents): Documents =>
    new Map(
      [...documents].map(([key, doc]) => {
        const { text } = readOne(doc, inputs.code.intake, kind)
        return [key, { ...doc, text: hideLostPhotos(text, inputs.publicFolder.files) }]
      }),
    )
  return findShownChanges(show(before), show(after), kind)
}

interface Request {
  readonly args: readonly string[]
  readonly sellers: readonly string[]
  readonly threads: number
  /**
   * The documents that the site must show after the run. After a run for named sellers, other sellers keep their old
   * documents, unless the run had to read everything.
   */
  readonly target: Documents
}

function applyChange(model: Model, change: StoryChange, stage: Stage): string {
  if (!isDocumentChange(change)) return changeWorld(model, change, stage)
  const { documents, words } = changeDocuments(model.documents, change, stage.photoHost.addresses)
  model.documents = documents
  return words
}

function createRequest(model: Model, run: StoryRun): Request {
  const { known, documents, kind, isDamaged, readBy, inputs } = model
  const sellers =
    known === 'unsure' || run.isFull ? [] : [...new Set(run.sellers.map((seller) => pick(SELLERS, seller)))]
  const isPartial = sellers.length > 0 && known instanceof Map && readBy === inputs.code.intake
  const args = [
    ...sellers.flatMap((seller) => ['--seller', seller]),
    ...(run.isFull ? ['--full'] : []),
    ...(run.isVerify || isDamaged ? ['--verify'] : []),
    ...(run.isShrinkAllowed ? ['--allow-shrink'] : []),
  ]
  const read = (doc: Doc): Shown | null => readShown(readOne(doc, readBy, kind), kind)
  const target = isPartial ? applySellers(known, documents, sellers, read) : documents
  return { args, sellers, threads: run.threads, target }
}

interface Finished {
  readonly result: RunResult
  /** Whether an earlier run has already made some of the step's changes. */
  readonly isDivided: boolean
}

/**
 * Runs the rebuild. If the run ends with an expected error, checks that the site is unchanged, removes the cause, and
 * runs again. If the run holds back removals, runs again with `--allow-shrink`.
 */
async function runUntilDone(model: Model, request: Request, tell: Tell): Promise<Finished> {
  const { place, inputs } = model
  const mend = model.isSourceBroken ? breakSource(place) : null
  model.isSourceBroken = false
  const expected = findExpectedExit(model, request, mend !== null)
  tell(`rebuild ${request.args.join(' ')}`.trim())
  const stamps = existsSync(place.output) ? readStamps(place.output) : ''
  try {
    const result = await runInProcess({ ...request, place, inputs })
    if (!expected.includes(result.exit))
      fail([
        `the rebuild ended with exit code ${result.exit} instead of ${expected.join(' or ')}: ${result.words}`,
      ])
    if (result.exit !== EXIT.pageFailed) return { result, isDivided: false }
    if (result.outcome.failures.length > 0) fail([result.words])
    tell('removals are held back')
    const again = await runUntilDone(model, allowShrink(request), tell)
    return { ...again, isDivided: true }
  } catch (error) {
    const exit = findExitCode(error as Error)
    if (!expected.includes(exit) || exit === EXIT.done) throw error
    tell(`exit code ${exit}`)
    if ((existsSync(place.output) ? readStamps(place.output) : '') !== stamps)
      fail([`the site was changed, though the run ended with exit code ${exit}`])
    if (exit === EXIT.usage) lose(place, 'dist')
    const isRefused = exit === EXIT.shrink
    mend?.()
    return runUntilDone(model, isRefused ? allowShrink(request) : request, tell)
  }
}

function allowShrink(request: Request): Request {
  return { ...request, args: [...request.args, '--allow-shrink'] }
}

function findExpectedExit(model: Model, { args, target }: Request, isSourceBroken: boolean): number[] {
  const isOther = isForeign(model.place)
  if (isOther === true) return [EXIT.usage]
  if (isOther === 'perhaps') return [EXIT.usage, EXIT.done, EXIT.shrink, EXIT.source]
  if (isSourceBroken) return [EXIT.source]
  const { kind, readBy, inputs } = model
  const known = model.known instanceof Map ? readAllBy(model.known, readBy, kind) : null
  const found = readAllBy(target, inputs.code.intake, kind)
  // An empty source is refused unless an empty site was accepted before, so both exit codes are permitted.
  if (isEmpty(found, kind)) return [EXIT.done, EXIT.shrink]
  if (args.includes('--allow-shrink')) return [EXIT.done]
  // Without a snapshot, or with an empty one, a rebuild knows only the totals in the record, so its guard may refuse
  // the change or permit it.
  if (known === null || isEmpty(known, kind)) return [EXIT.done, EXIT.shrink]
  return isShrink(known, found, kind) ? [EXIT.shrink, EXIT.pageFailed] : [EXIT.done]
}

function isEmpty(documents: Documents, kind: SourceKind): boolean {
  return findShownChanges(NONE, documents, kind).documents.size === 0
}

// Checks that another run for the same sellers writes nothing. Passes `--allow-shrink`, because the source may be
// empty.
async function checkSecondRun({ place, inputs }: Model, { sellers, threads }: Request): Promise<void> {
  const stamps = readStamps(place.output)
  const args = [...sellers.flatMap((seller) => ['--seller', seller]), '--allow-shrink']
  checkIdle(await runInProcess({ place, inputs, args, threads }))
  if (readStamps(place.output) !== stamps) fail(['a second run without changes wrote files'])
}

function isQuiet(changes: readonly StoryChange[], { isFull, isVerify }: StoryRun): boolean {
  return !isFull && !isVerify && changes.every(isDocumentChange)
}

const WORLD_CHANGES = new Set<StoryChange['kind']>([
  'setting',
  'builder code',
  'code',
  'public folder',
  'runtime',
  'lose',
  'restore',
  'damage file',
  'damage marker',
  'damage state',
  'break source',
])

function isDocumentChange(change: StoryChange): change is DrawnChange {
  return !WORLD_CHANGES.has(change.kind)
}
