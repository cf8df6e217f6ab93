/**
 * Plays a story, and compares the site with a clean build whenever a run has ended: the promises of a rebuild in one
 * place. Throws if one is broken.
 */
import { appendFileSync, cpSync, existsSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readFiles, readFileStamps } from '../../support/run/files.ts'
import type { BuildInputs, BuildResult, Refusal } from './build.ts'
import { build, ChangedError, FIRST_SETTINGS, isClosed, listParts, readMarker } from './build.ts'
import type { Site } from './checks.ts'
import {
  checkExplained,
  checkKept,
  checkNeeds,
  checkRendered,
  checkWhole,
  checkWritten,
  compareSites,
} from './checks.ts'
import type { Documents } from './documents.ts'
import {
  changeDocuments,
  createProfile,
  listChangedSellers,
  NO_DOCUMENTS,
  PHOTOS,
  put,
  STAYING,
} from './documents.ts'
import type { Machine } from './machine.ts'
import { createMachine } from './machine.ts'
import { KilledError } from './machine-host.ts'
import type { PictureStore } from './pictures.ts'
import { addPicture, createStore, listUsers } from './pictures.ts'
import { createSource, pruneLog, updateSource } from './source-file.ts'
import type { Attempt, Change, Part, Round, RunOptions, Settings, Story } from './stories.ts'
import { RESTORABLE } from './stories.ts'

/** How a run came to its end. */
type End = BuildResult | Refusal | { readonly kind: 'killed' } | { readonly kind: 'failed' }

interface Backup {
  readonly folder: string
  readonly documents: Documents
  readonly isDamaged: boolean
}

interface Stage extends BuildInputs {
  readonly root: string
  readonly folder: string
  readonly machine: Machine
  readonly backups: Backup[]
  /** The data before each round. */
  readonly past: Documents[]
  documents: Documents
  /** What the source holds. */
  written: Documents
  code: number
  settings: Settings
  pictures: PictureStore
  now: number
  /** The marker of the run that ended last. */
  live: string | null
  /** Sellers whose documents changed since the last run that ended. */
  readonly changed: Set<string>
  /** Photos whose pictures changed since then. */
  readonly arrived: Set<string>
  /** Sellers whose pages were old after it. */
  failed: readonly string[]
  /** Whether something happened since then that makes everything due. */
  hasReason: boolean
  /** Whether someone removed a file of the site, such as the marker. */
  isDamaged: boolean
  /** Whether `_headers` may permit inline code of older pages. */
  hasOldHeaders: boolean
}

/** What is known of the site during a round. */
interface Known {
  /** Each file is that of one of these sites. */
  readonly sites: Site[]
  /** False after something that a rebuild mends at its end only, such as a power cut. */
  isTrusted: boolean
  /** False if lists may be those of no clean build. */
  hasLists: boolean
}

/** Clean builds by their inputs, of all stories: many stories begin alike. */
const CLEAN_SITES = new Map<string, Site>()
const MOST_CLEAN_SITES = 500

const SECOND = 1_000
const DAY = 86_400 * SECOND

/** Plays the story in an empty folder at `root`, which it removes. */
export async function playStory({ source: kind, rounds }: Story, root: string): Promise<void> {
  const stage = await openStage(kind, root)
  try {
    for (const [index, round] of rounds.entries()) {
      const isRestored = rounds.slice(index).some(({ changes }) => changes.some(isRestore))
      await playRound(stage, round, () => isRestored && keepBackup(stage))
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

async function openStage(kind: Story['source'], root: string): Promise<Stage> {
  rmSync(root, { recursive: true, force: true })
  mkdirSync(root, { recursive: true })
  const source = { kind, path: join(root, kind === 'embedded' ? 'documents.sqlite' : 'documents') }
  const documents = put(NO_DOCUMENTS, createProfile('ana', 0), createProfile(STAYING, 1))
  await createSource(source, documents)
  const folder = join(root, 'site')
  return {
    root,
    folder,
    source,
    documents,
    machine: createMachine(folder),
    backups: [],
    past: [],
    written: documents,
    code: 0,
    settings: FIRST_SETTINGS,
    pictures: createStore(),
    now: 0,
    live: null,
    changed: new Set(),
    arrived: new Set(),
    failed: [],
    hasReason: true,
    isDamaged: false,
    hasOldHeaders: false,
  }
}

async function playRound(stage: Stage, round: Round, keep: () => void): Promise<void> {
  stage.past.push(stage.documents)
  if (round.isLater) stage.machine.forget()
  const isTouched = round.changes.map((one) => applyChange(stage, one)).includes(true)
  writeSource(stage, round.style)
  const known: Known = {
    sites: [readSite(stage)],
    isTrusted: !isTouched,
    hasLists: stage.failed.length === 0,
  }
  for (const attempt of round.attempts) {
    await playAttempt(stage, attempt, known)
    keep()
  }
  if (round.isUndone && round.attempts.length > 0) {
    stage.documents = stage.past.at(-1) ?? stage.documents
    writeSource(stage, round.style)
  }
  await playLast(stage, round)
  await checkIdle(stage)
  keep()
}

/** Plays the run that must succeed. */
async function playLast(stage: Stage, round: Round): Promise<void> {
  stage.now += DAY
  const options = { isFull: round.isFull || stage.isDamaged }
  let before = look(stage)
  const explained = round.isExplained ? await run(stage, { ...options, isExplained: true }) : null
  if (explained !== null) checkSame(stage, before, 'An explained run wrote files.')
  let end = await run(stage, options)
  if (end.kind === 'refused') {
    checkRefusal(stage, before.site)
    // As a person does.
    rmSync(join(stage.folder, 'dist'), { recursive: true })
    stage.machine.forget()
    before = look(stage)
    end = await run(stage, options)
  } else if (explained?.kind === 'ended') {
    checkExplained(explained.differing, before.site, readSite(stage))
  }
  if (end.kind !== 'ended' || end.failed.length > 0)
    throw new Error(`A run did not succeed: ${JSON.stringify(end)}`)
  await checkEnded(stage, end, { ...options, before })
}

async function playAttempt(stage: Stage, attempt: Attempt, known: Known): Promise<void> {
  const { failing, fault: _, meanwhile, cut, isSoon, ...options } = attempt
  const before = look(stage)
  known.isTrusted &&= meanwhile === null
  known.hasLists &&= failing === null
  if (known.isTrusted) known.sites.push(await buildClean(stage, []))
  stage.now += isSoon ? SECOND : DAY
  const end = await run(stage, options, attempt)
  const site = readSite(stage)
  if (known.isTrusted) {
    checkWhole(site, known.sites, (path) => known.hasLists || path.startsWith('catalogo/'))
    checkNeeds(site)
  }
  if (end.kind === 'refused') checkRefusal(stage, before.site)
  else if (end.kind === 'ended') {
    await checkEnded(stage, end, { ...options, before, isDisturbed: meanwhile !== null })
    known.sites.push(site)
  } else {
    stage.hasReason = true
    // The disk may have failed after the run had ended.
    stage.hasOldHeaders ||= failing !== null && isClosed(site)
    if (known.isTrusted && known.hasLists && isClosed(site) && !isSame(site, before.site))
      compareSites(site, await buildClean(stage, []), stage.hasOldHeaders)
  }
  if (cut === null) return
  stage.machine.cutPower(cut)
  stage.hasReason = true
  known.isTrusted = false
}

async function run(
  stage: Stage,
  options: Partial<RunOptions>,
  { fault = null, failing = null, meanwhile = null }: Partial<Attempt> = {},
): Promise<End> {
  const { machine, folder } = stage
  const act = (): void => {
    applyChange(stage, meanwhile?.change ?? { kind: 'picture', n: 0 })
    writeSource(stage, 'update')
  }
  const whileCompiling = once(() => meanwhile?.at === 0 && act())
  const work = (): Promise<BuildResult | Refusal> =>
    build(
      folder,
      stage,
      { ...options, ...claim(stage, options), now: stage.now },
      { failing: failing === null ? [] : [failing], whileCompiling },
    )
  try {
    const end = await machine.run(fault, work, meanwhile && { at: meanwhile.at, act })
    if (fault?.kind === 'error' && machine.hasMetFault())
      throw new Error('An error of the disk did not end the run.')
    return end
  } catch (error) {
    if (error instanceof KilledError) return { kind: 'killed' }
    const isExpected =
      fault?.kind === 'error' && machine.hasMetFault() && !(error as Error).message.startsWith('An ')
    if (isExpected || (meanwhile !== null && isChange(error))) return { kind: 'failed' }
    throw error
  }
}

/** A coordinator names who changed if the site is the one that was published last; else everything is due. */
function claim(stage: Stage, { isFull = false, sellers = [] }: Partial<RunOptions>): Partial<RunOptions> {
  if (stage.source.kind !== 'named') return {}
  const isKnown = stage.live !== null && stage.live === readMarker(readSite(stage))
  return { isFull: isFull || !isKnown, isClaimed: isKnown, sellers: [...stage.changed, ...sellers] }
}

interface RunFacts extends Partial<RunOptions> {
  readonly before: Look
  /** Whether something changed while the run worked. */
  readonly isDisturbed?: boolean
}

async function checkEnded(
  stage: Stage,
  end: BuildResult,
  { before, isDisturbed = false, isFull = false, sellers = [] }: RunFacts,
): Promise<void> {
  const isWhole = end.everything !== null
  if (isWhole && !stage.hasReason && !isFull && stage.source.kind !== 'named' && !isDisturbed)
    throw new Error(`Everything was due without a reason: ${end.everything}`)
  const { site, stamps } = look(stage)
  if (!isClosed(site)) throw new Error('The marker of a run that ended is open.')
  checkKept(end.failed, before.site, site)
  checkWritten(before, { site, stamps })
  stage.isDamaged &&= !isWhole
  stage.hasOldHeaders = end.failed.length > 0 || (stage.hasOldHeaders && !isWhole)
  const users = listUsers(stage.pictures, [...stage.arrived])
  if (!isWhole && !isDisturbed && !stage.hasReason)
    checkRendered(end.rendered, new Set(['', ...stage.changed, ...stage.failed, ...users, ...sellers]))
  if (!isDisturbed && !stage.isDamaged) {
    const clean = await buildClean(stage, end.failed)
    compareSites(site, clean, stage.hasOldHeaders, end.failed)
    const isCleaned = isWhole && end.failed.length === 0
    const old = Object.keys(site).filter(
      (path) => isCleaned && /^(?:fotos|_astro)\//.test(path) && !(path in clean),
    )
    if (old.length > 0) throw new Error(`A run over everything left ${old.join(', ')}`)
  }
  stage.failed = end.failed
  stage.live = readMarker(site)
  if (isDisturbed) return
  stage.hasReason = false
  stage.changed.clear()
  stage.arrived.clear()
}

/** Only a folder that lost its marker is refused. */
function checkRefusal(stage: Stage, before: Site): void {
  if (!stage.isDamaged || readMarker(before) !== null) throw new Error('A folder of the site was refused.')
  checkSame(stage, { site: before, stamps: null }, 'A refused folder was changed.')
}

/** A second run renders and writes nothing. */
async function checkIdle(stage: Stage): Promise<void> {
  const before = look(stage)
  const end = await run(stage, {})
  if (end.kind !== 'ended' || end.rendered.length > 0 || end.everything !== null)
    throw new Error(`A second run was not idle: ${JSON.stringify(end)}`)
  checkSame(stage, before, 'A second run wrote files.')
  stage.live = readMarker(before.site)
}

interface Look {
  readonly site: Site
  readonly stamps: Readonly<Record<string, string>>
}

function look(stage: Stage): Look {
  return { site: readSite(stage), stamps: readFileStamps(join(stage.folder, 'dist')) }
}

function checkSame(
  stage: Stage,
  { site, stamps }: Look | (Omit<Look, 'stamps'> & { stamps: null }),
  text: string,
): void {
  const now = look(stage)
  const isEqual = isSame(site, now.site) && (stamps === null || isSame(stamps, now.stamps))
  if (!isEqual) throw new Error(text)
}

function isSame(one: Site, other: Site): boolean {
  const pick = (site: Site): string =>
    JSON.stringify(Object.entries(site).filter(([path]) => !path.startsWith('.partial/')))
  return pick(one) === pick(other)
}

/** Returns whether the change touches the site's files or databases. */
function applyChange(stage: Stage, change: Change): boolean {
  stage.documents = changeDocuments(stage.documents, change)
  const isInput = change.kind === 'code' || change.kind === 'setting'
  const isTouched = ['lose', 'restore', 'damage'].includes(change.kind)
  stage.hasReason ||= isInput || isTouched
  if (change.kind === 'return') stage.documents = stage.past.at(-1 - change.rounds) ?? stage.documents
  else if (change.kind === 'code') stage.code = change.version
  else if (change.kind === 'setting') stage.settings = { ...stage.settings, [change.name]: change.value }
  else if (change.kind === 'picture') arrive(stage, PHOTOS[change.n] ?? '')
  else if (change.kind === 'prune') pruneLog(stage.source, change.left)
  else if (change.kind === 'lose') for (const part of change.parts) lose(stage, part)
  else if (change.kind === 'restore') restore(stage, change.parts, change.n)
  else if (change.kind === 'damage') damage(stage, change.how, change.n)
  if (isTouched) stage.machine.forget()
  return isTouched
}

function arrive({ pictures, arrived }: Stage, photo: string): void {
  addPicture(pictures, photo)
  arrived.add(photo)
}

function lose(stage: Stage, part: Exclude<Part, 'source'>): void {
  if (part === 'pictures') stage.pictures = createStore()
  else remove(listParts(stage.folder, stage.source, part))
}

function isRestore({ kind }: Change): boolean {
  return kind === 'restore'
}

function damage(stage: Stage, how: 'edit' | 'cut' | 'delete' | 'add', n: number): void {
  const dist = join(stage.folder, 'dist')
  const names = Object.keys(readFiles(dist)).filter((path) => !path.startsWith('.'))
  const name = names[n % names.length]
  if (name === undefined) return
  stage.isDamaged = true
  if (how === 'edit') appendFileSync(join(dist, name), 'x')
  else if (how === 'cut') truncateSync(join(dist, name), 1)
  else if (how === 'delete') rmSync(join(dist, name))
  else if (existsSync(join(dist, 'catalogo'))) writeFileSync(join(dist, 'catalogo', 'added.html'), 'x')
}

/** Copies what there is, also between two runs of which the first was cut off. */
function keepBackup({ root, folder, source, backups, written, isDamaged }: Stage): void {
  const kept = join(root, 'backups', String(backups.length))
  for (const part of RESTORABLE)
    for (const path of listParts(folder, source, part)) copy(path, join(kept, path.slice(root.length)))
  backups.push({ folder: kept, documents: written, isDamaged })
}

function restore(stage: Stage, parts: readonly (typeof RESTORABLE)[number][], n: number): void {
  const { root, folder, source, backups } = stage
  const backup = backups[n % backups.length]
  if (backup === undefined) return
  for (const part of parts) {
    for (const path of listParts(folder, source, part))
      copy(join(backup.folder, path.slice(root.length)), path)
    // The copy may be of a damaged site.
    if (part === 'dist') stage.isDamaged = backup.isDamaged
    if (part !== 'source') continue
    noteChanged(stage, stage.written, backup.documents)
    stage.documents = stage.written = backup.documents
  }
}

function copy(from: string, to: string): void {
  remove([to])
  if (!existsSync(from)) return
  mkdirSync(dirname(to), { recursive: true })
  cpSync(from, to, { recursive: true, preserveTimestamps: true })
}

function remove(paths: readonly string[]): void {
  for (const path of paths) rmSync(path, { recursive: true, force: true })
}

function writeSource(stage: Stage, style: Round['style']): void {
  const { written: before, documents: after } = stage
  updateSource(stage.source, { before, after, style })
  noteChanged(stage, before, after)
  stage.written = after
}

function noteChanged({ changed }: Stage, before: Documents, after: Documents): void {
  for (const seller of listChangedSellers(before, after)) changed.add(seller)
}

/** Builds the site in an empty folder. `failing` names sellers all of whose pages fail. */
async function buildClean(stage: Stage, failing: readonly string[]): Promise<Site> {
  const { root, source, code, settings, documents, pictures } = stage
  const key = JSON.stringify([
    source.kind,
    ...documents.values(),
    code,
    settings,
    [...pictures.made],
    failing,
  ])
  const known = CLEAN_SITES.get(key)
  if (known !== undefined) return known
  const folder = join(root, 'clean')
  remove([folder])
  const store = { ...createStore(), made: pictures.made }
  await build(
    folder,
    { source, code, settings, pictures: store },
    {},
    {
      failing: failing.map((seller) => ({ seller, page: null })),
    },
  )
  const site = readFiles(join(folder, 'dist'))
  if (CLEAN_SITES.size === MOST_CLEAN_SITES) CLEAN_SITES.clear()
  CLEAN_SITES.set(key, site)
  return site
}

function readSite({ folder }: Stage): Site {
  return readFiles(join(folder, 'dist'))
}

function once(act: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) act()
    isDone = true
  }
}

/** Whether the run says that its inputs changed while it worked, so that it has to be run again. */
function isChange(error: unknown): boolean {
  return error instanceof ChangedError || /changed during the run/.test((error as Error).message)
}
