/**
 * Plays a story, and compares the site with a clean build whenever a run has ended: the promises of a rebuild in one
 * place. Throws if one is broken.
 */
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { readFiles } from '../../support/run/files.ts'
import type { BuildResult, SourceFile } from './build.ts'
import {
  build,
  createSource,
  FIRST_CODE,
  FIRST_SETTINGS,
  listParts,
  isMixed,
  listPictures,
  mayDiffer,
  updateSource,
} from './build.ts'
import type { Documents } from './documents.ts'
import { changeDocuments, createProfile, listChangedSellers, NO_DOCUMENTS, put } from './documents.ts'
import type { Machine } from './machine.ts'
import { createMachine } from './machine.ts'
import { KilledError } from './machine-host.ts'
import type { Attempt, Change, Code, Part, Round, RunOptions, Settings, Story } from './stories.ts'

type Site = Readonly<Record<string, string>>

/** How a run came to its end. */
type End = BuildResult | { readonly kind: 'killed' } | { readonly kind: 'failed' }

interface Backup {
  readonly folder: string
  readonly documents: Documents
}

interface Stage {
  readonly root: string
  readonly folder: string
  readonly source: SourceFile
  readonly machine: Machine
  readonly backups: Backup[]
  /** By documents, code and settings. */
  readonly cleanSites: Map<string, Site>
  /** The data before each round. */
  readonly past: Documents[]
  documents: Documents
  /** What the source holds. */
  written: Documents
  code: Code
  settings: Settings
}

/** Plays the story in an empty folder at `root`, which it removes. */
export async function playStory({ source: kind, rounds }: Story, root: string): Promise<void> {
  const stage = await openStage(kind, root)
  try {
    for (const [index, round] of rounds.entries()) {
      await playRound(stage, round, index > 0)
      const isRestored = rounds.slice(index + 1).some(({ changes }) => changes.some(isRestore))
      if (isRestored) keepBackup(stage)
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

async function openStage(kind: Story['source'], root: string): Promise<Stage> {
  rmSync(root, { recursive: true, force: true })
  mkdirSync(root, { recursive: true })
  const source: SourceFile = { kind, path: join(root, kind === 'folder' ? 'documents' : 'documents.sqlite') }
  const documents = put(NO_DOCUMENTS, createProfile('ana', 0))
  await createSource(source, documents)
  const folder = join(root, 'site')
  const machine = createMachine(folder)
  const start = { documents, written: documents, code: FIRST_CODE, settings: FIRST_SETTINGS }
  return { root, folder, source, machine, backups: [], cleanSites: new Map(), past: [], ...start }
}

/** `isBuilt`: the site is that of the round before. */
async function playRound(stage: Stage, round: Round, isBuilt: boolean): Promise<void> {
  const before = { documents: stage.documents, site: readSite(stage) }
  stage.past.push(stage.documents)
  if (round.isLater) stage.machine.forget()
  const isTouched = round.changes.map((one) => applyChange(stage, one)).includes(true)
  const isDamaged = round.changes.some(({ kind }) => kind === 'damage')
  writeSource(stage, round.style)
  let clean = await buildClean(stage)

  const old = readSite(stage)
  const isSeen = { isTorn: !isTouched, isWhole: !isDamaged }
  for (const attempt of round.attempts) {
    await playAttempt(stage, attempt, { old, clean, ...isSeen })
    // What a power cut tore, and what a run of some sellers mixed, is whole after the run that must succeed.
    if (attempt.cut !== null || attempt.sellers.length > 0 || attempt.failing !== null) isSeen.isTorn = false
  }
  if (round.isUndone && round.attempts.length > 0) {
    stage.documents = stage.past.at(-1) ?? stage.documents
    writeSource(stage, round.style)
    clean = await buildClean(stage)
  }

  const isVerify = round.last.isVerify || isDamaged
  const stamps = readStamps(stage)
  const end = await runUntilAccepted(stage, { ...round.last, isVerify })
  compare(readSite(stage), clean)
  const isQuiet = isBuilt && round.attempts.length === 0 && !isVerify && !round.last.isFull
  if (isQuiet && !isTouched) checkWritten(stage, { stamps, before: before.site })
  if (isQuiet && round.changes.every(isOfData))
    checkRendered(end, listChangedSellers(before.documents, stage.documents))
  await checkIdle(stage)
}

interface Expected {
  readonly old: Site
  readonly clean: Site
  readonly isTorn: boolean
  readonly isWhole: boolean
}

async function playAttempt(stage: Stage, attempt: Attempt, expected: Expected): Promise<void> {
  const { failing, fault, cut, ...options } = attempt
  const end = await run(stage, options, attempt)
  const site = readSite(stage)
  if (expected.isTorn && options.sellers.length === 0) {
    checkWhole(site, expected, failing)
    checkPictures(site)
  }
  const isComplete = end.kind === 'ended' && failing === null && options.sellers.length === 0
  if (isComplete && expected.isWhole) compare(site, expected.clean)
  if (end.kind === 'failed' && fault?.kind !== 'error')
    throw new Error('the run failed without an error of the disk')
  if (cut !== null) stage.machine.cutPower(cut)
}

async function run(
  stage: Stage,
  options: Partial<RunOptions>,
  { fault = null, failing = null }: Partial<Attempt> = {},
): Promise<End> {
  const { machine, folder } = stage
  try {
    return await machine.run(fault, () => build(folder, stage, options, { boot: machine.boot, failing }))
  } catch (error) {
    if (error instanceof KilledError) return { kind: 'killed' }
    if (fault?.kind === 'error' && machine.hasMetFault()) return { kind: 'failed' }
    throw error
  }
}

/** Removes the output as a person does if the builder does not know the folder, and runs again. */
async function runUntilAccepted(stage: Stage, options: RunOptions): Promise<End> {
  const end = await run(stage, options)
  if (end.kind !== 'refused') return end
  rmSync(join(stage.folder, 'dist'), { recursive: true })
  stage.machine.forget()
  return run(stage, options)
}

/** Returns whether the change touches the site's files or databases. */
function applyChange(stage: Stage, change: Change): boolean {
  stage.documents = changeDocuments(stage.documents, change)
  if (change.kind === 'return') stage.documents = stage.past.at(-1 - change.rounds) ?? stage.documents
  else if (change.kind === 'code') stage.code = { ...stage.code, [change.part]: change.version }
  else if (change.kind === 'setting') stage.settings = { ...stage.settings, [change.name]: change.value }
  else if (change.kind === 'lose')
    for (const part of change.parts) remove(listParts(stage.folder, stage.source, part))
  else if (change.kind === 'restore') restore(stage, change.parts, change.n)
  else if (change.kind === 'damage') damage(join(stage.folder, 'dist'), change.how, change.n)
  else return false
  if (change.kind === 'code' || change.kind === 'setting') return false
  stage.machine.forget()
  return true
}

function isRestore({ kind }: Change): boolean {
  return kind === 'restore'
}

function isOfData({ kind }: Change): boolean {
  return ['product', 'profile', 'drop', 'leave', 'crowd', 'return'].includes(kind)
}

function damage(dist: string, how: 'edit' | 'cut' | 'delete' | 'add', n: number): void {
  const names = Object.keys(readFiles(dist)).filter((path) => !path.startsWith('.'))
  const name = names[n % names.length]
  if (name === undefined) return
  if (how === 'edit') appendFileSync(join(dist, name), 'x')
  else if (how === 'cut') truncateSync(join(dist, name), 1)
  else if (how === 'delete') rmSync(join(dist, name))
  else if (existsSync(join(dist, 'catalogo'))) writeFileSync(join(dist, 'catalogo', 'added.html'), 'x')
}

function keepBackup({ root, folder, source, backups, documents }: Stage): void {
  const kept = join(root, 'backups', String(backups.length))
  for (const part of ['dist', 'snapshot', 'record', 'source'] as const)
    for (const path of listParts(folder, source, part)) copy(path, join(kept, path.slice(root.length)))
  backups.push({ folder: kept, documents })
}

function restore(stage: Stage, parts: readonly Part[], n: number): void {
  const { root, folder, source, backups } = stage
  const backup = backups[n % backups.length]
  if (backup === undefined) return
  for (const part of parts) {
    for (const path of listParts(folder, source, part))
      copy(join(backup.folder, path.slice(root.length)), path)
    if (part === 'source') stage.documents = stage.written = backup.documents
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
  updateSource(stage.source, { before: stage.written, after: stage.documents, style })
  stage.written = stage.documents
}

async function buildClean({ root, source, code, settings, documents, cleanSites }: Stage): Promise<Site> {
  const key = JSON.stringify([...documents.values(), code, settings])
  const known = cleanSites.get(key)
  if (known !== undefined) return known
  const folder = join(root, 'clean')
  remove([folder])
  await build(folder, { source, code, settings })
  const site = readFiles(join(folder, 'dist'))
  cleanSites.set(key, site)
  return site
}

function readSite({ folder }: Stage): Site {
  return readFiles(join(folder, 'dist'))
}

/** Returns stamps of the files that change whenever one is written, even with the same bytes. */
function readStamps({ folder }: Stage): Site {
  const dist = join(folder, 'dist')
  const names = existsSync(dist) ? readdirSync(dist, { recursive: true, withFileTypes: true }) : []
  const files = names.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
  const stamp = (file: string): string => {
    const { ino, mtimeNs } = statSync(file, { bigint: true })
    return `${ino} ${mtimeNs}`
  }
  return Object.fromEntries(files.map((file) => [file.slice(dist.length + 1), stamp(file)]))
}

/** The site equals a clean build. */
function compare(site: Site, clean: Site): void {
  const paths = [...new Set([...Object.keys(site), ...Object.keys(clean)])]
  const wrong = paths.filter((path) => site[path] !== clean[path] && !mayDiffer(path, path in clean))
  const describe = (path: string): string =>
    `${path}: ${show(site[path])}, but a clean build has ${show(clean[path])}`
  if (wrong.length > 0)
    throw new Error(`The site differs from a clean build.\n${wrong.slice(0, 5).map(describe).join('\n')}`)
}

function show(text: string | undefined): string {
  return text === undefined ? 'nothing' : JSON.stringify(text.slice(0, 300))
}

/** Each file is complete, old or new. With a failing seller, lists are neither: they leave her out. */
function checkWhole(site: Site, { old, clean }: Expected, failing: string | null): void {
  const isChecked = (path: string): boolean =>
    !mayDiffer(path, path in clean) && !isMixed(path) && (failing === null || path.startsWith('catalogo/'))
  const torn = Object.keys(site).filter(
    (path) => isChecked(path) && site[path] !== old[path] && site[path] !== clean[path],
  )
  if (torn.length > 0) throw new Error(`These files are neither old nor new: ${torn.join(', ')}`)
}

/** Every picture that a page shows is there. */
function checkPictures(site: Site): void {
  const pages = Object.entries(site).filter(([path]) => path.endsWith('.html'))
  const missing = pages.flatMap(([path, text]) =>
    listPictures(text)
      .filter((one) => !(one in site))
      .map((one) => `${one} of ${path}`),
  )
  if (missing.length > 0) throw new Error(`These pictures are missing: ${missing.join(', ')}`)
}

/** A file is written only if its bytes differ. */
function checkWritten(
  stage: Stage,
  { stamps, before }: { readonly stamps: Site; readonly before: Site },
): void {
  const [site, now] = [readSite(stage), readStamps(stage)]
  const same = Object.keys(site).filter((path) => stamps[path] !== now[path] && site[path] === before[path])
  const needless = same.filter((path) => !mayDiffer(path, true))
  if (needless.length > 0)
    throw new Error(`These files were written with the same bytes: ${needless.join(', ')}`)
}

/** Only pages of sellers whose documents differ are rendered. */
function checkRendered(end: End, changed: ReadonlySet<string>): void {
  const rendered = end.kind === 'ended' ? end.rendered : []
  const needless = rendered.filter((seller) => seller !== null && !changed.has(seller))
  if (needless.length > 0)
    throw new Error(`Pages of sellers without a change were rendered: ${needless.join(', ')}`)
}

/** A second run renders and writes nothing. */
async function checkIdle(stage: Stage): Promise<void> {
  const stamps = JSON.stringify(readStamps(stage))
  const end = await run(stage, {})
  if (end.kind !== 'ended' || end.rendered.length > 0)
    throw new Error(`A second run was not idle: ${JSON.stringify(end)}`)
  if (JSON.stringify(readStamps(stage)) !== stamps) throw new Error('A second run wrote files.')
}
