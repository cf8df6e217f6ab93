/** Opens the world of a rebuild: locks, state, output, source and renderer. */
import { needsPreviews } from '../../../domain/documents/page-switches.ts'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve, sep } from 'node:path'
import { readBootId } from '../../state/boot-id.ts'
import { checkFolders, lockFolders } from '../../state/lock-folders.ts'
import type { Manifest } from '../../state/manifest.ts'
import { hashManifest } from '../../state/manifest.ts'
import { readProjectFiles, readRuntime } from '../../renderer/fingerprint.ts'
import { createOutput, PARTIAL } from '../../state/output/output.ts'
import { openRecord } from '../../state/record/open-record.ts'
import type { PageInputs, World } from '../../rebuild/world.ts'
import type { PictureSetup } from '../../pictures/open-pictures.ts'
import type { StartFar } from '../../rebuild/read/far-half.ts'
import { countThreads } from '../../rebuild/render/count-threads.ts'
import { startFarRead } from '../../rebuild/read/far-half.ts'
import type { FileWorkers } from '../../rebuild/check/file-reader.ts'
import { createFileReader, createThreadedReader } from '../../rebuild/check/file-reader.ts'
import { openPictures } from '../../pictures/open-pictures.ts'
import type { PhotoHosts } from '../../../domain/photos/photo-hosts.ts'
import { findReplaced } from '../../pictures/renew-own-photos.ts'
import { isPictureStoreCurrent, openPictureStore } from '../../pictures/store/picture-store.ts'
import { openSnapshot } from '../../state/snapshot/open-snapshot.ts'
import type { Source } from '../../sources/source.ts'
import { copyDatabase } from '../../state/sqlite/copy-database.ts'
import { findWorker } from './find-worker.ts'
import { keepOpen, openConfigured } from './open-configured-source.ts'
import type { BuildOptions } from '../options.ts'
import { NOTED_HASHES, ROOT } from '../../state/project-folder.ts'
import { createRenderers } from './open-renderers.ts'
import { readCodeHashes } from './code-hashes.ts'
import {
  DAMAGED,
  DAMAGED_DRY,
  PICTURES,
  RECORD,
  removeDamaged,
  showOnStderr,
  SNAPSHOT,
} from './state-files.ts'

export interface OpenWorld extends World {
  close(): void
}

const PART = 'snapshot-part.sqlite'

/**
 * Limits of the threads that check files. `patience` is the max time of a call, in milliseconds. A call reads a few
 * files, each in one or two milliseconds. The main thread repeats a call that exceeds a limit.
 */
const FILE_WORKERS = {
  patience: 60_000,
  limits: { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 12 },
}

/**
 * A dry run takes no lock, and works on copies of the snapshot, the record and, if it would change, the picture store.
 * `close` removes the copies.
 */
export async function openWorld(
  options: BuildOptions,
  progress: (text: string) => void,
  warn: (message: string) => void = showOnStderr,
): Promise<OpenWorld> {
  const { isDry } = options
  if (isDry) checkFolders(options)
  const locks = isDry ? [] : lockFolders({ ...options, command: nameCommand(options) })
  const folder = isDry ? mkdtempSync(join(tmpdir(), 'vitrina-dry-run-')) : options.state
  const release = (): void => {
    locks.forEach((lock) => lock.release())
    if (isDry) rmSync(folder, { recursive: true })
  }
  try {
    if (isDry) await copyState(options.state, folder)
    const world = await openFolder(folder, options, { progress, warn })
    return { ...world, close: () => [world.close, release].forEach((end) => end()) }
  } catch (error) {
    release()
    throw error
  }
}

/** `folder` is the state folder or its copy. */
async function openFolder(
  folder: string,
  options: BuildOptions,
  { progress, warn }: Record<'progress' | 'warn', (text: string) => void>,
): Promise<OpenWorld> {
  const { isDry } = options
  // `--verify` first checks the databases completely. Otherwise SQLite detects damage only in the structure of the
  // database pages that it reads, and returns damaged text as it is.
  if (options.isVerify && removeDamaged(folder).length > 0) warn(isDry ? DAMAGED_DRY : DAMAGED)
  const inputs = await readPageInputs(options)
  const pictureSetup = await createPictureSetup(options, folder, inputs.publicFiles)
  const state = {
    snapshot: openSnapshot(join(folder, SNAPSHOT)),
    record: openRecord(join(folder, RECORD)),
    output: createOutput(resolve(options.output)),
    pictures: openPictures(pictureSetup, { readPublicFile, now: Date.now, warn }),
  }
  function* readSellers(): Generator<string> {
    if (options.isShrinkAllowed) return
    yield* state.snapshot.readSellers()
    yield* state.record.readSellers()
  }
  const openOnce = (): Promise<Source> =>
    openConfigured(options.configuration, isDry ? folder : '.', { isDry, readSellers })
  const renderers = createRenderers(inputs, {
    snapshot: join(folder, SNAPSHOT),
    output: resolve(options.output),
    partial: join(resolve(options.output), PARTIAL),
    publicFiles: Object.keys(inputs.publicFiles),
    settings: inputs.settings,
    pictures: pictureSetup,
  })
  const files = createThreadedReader(createFileReader(state.output), {
    threads: countThreads(),
    start: () => startFileWorkers(resolve(options.output)),
  })
  const connection = options.isWatch && options.configuration.firestore !== null ? keepOpen(openOnce) : null
  return {
    options,
    inputs,
    state,
    renderers,
    boot: readBootId(),
    openSource: connection?.open ?? openOnce,
    startFar: availableParallelism() > 1 ? createFarStart(folder) : null,
    files,
    now: () => performance.now(),
    clock: Date.now,
    progress,
    close: () => {
      connection?.close()
      renderers.close()
      void files.close()
      for (const one of [state.snapshot, state.record, state.pictures]) one.close()
    },
  }
}

// Returns the function that starts a thread to read half of the source. First removes the file that a killed run left
// behind.
function createFarStart(folder: string): StartFar {
  const [snapshot, file] = [join(folder, SNAPSHOT), join(folder, PART)]
  if (existsSync(file)) rmSync(file)
  return (half, isCompared) =>
    startFarRead(findWorker('read-worker'), { half, compared: isCompared ? snapshot : null, file })
}

// Imported on use, because only checks of large sites need the threads.
async function startFileWorkers(folder: string): Promise<FileWorkers> {
  const { createWorkers } = await import('../../rebuild/render/task-workers.ts')
  const module = findWorker('file-worker')
  return createWorkers({ ...FILE_WORKERS, module, data: folder, threads: countThreads() })
}

function nameCommand({ isPending, isWatch }: BuildOptions): string {
  // Only the builder service both builds pending sellers and keeps running.
  if (isPending) return isWatch ? 'builder' : 'rebuild --pending'
  return isWatch ? 'rebuild --watch' : 'rebuild'
}

async function readPageInputs({ configuration, isVerify }: BuildOptions): Promise<PageInputs> {
  const { inputs, publicFiles } = readProjectFiles(ROOT, isVerify ? null : NOTED_HASHES)
  return {
    settings: configuration.site,
    maxProducts: configuration.maxProducts,
    keepsPages: configuration.keepsPages,
    isSearched: configuration.isSearched,
    compiled: hashManifest(inputs),
    code: await readCodeHashes(),
    runtime: readRuntime(),
    publicFiles,
    readPublicFile: (path) => readFileSync(join(ROOT, 'public', path)),
  }
}

// In a dry run, copies the picture store, which may be large, only if the run would change the store.
async function createPictureSetup(
  { configuration: { site, photos }, state, isDry }: BuildOptions,
  folder: string,
  publicFiles: Manifest,
): Promise<PictureSetup> {
  const [store, copy] = [join(state, PICTURES), join(folder, PICTURES)]
  const setup = { ...photos, brand: site.name, makesPreviews: needsPreviews(site) }
  const isUnchanged = (): boolean =>
    isPictureStoreCurrent(store) && !hasReplaced(store, photos.hosts, publicFiles)
  if (photos.mode !== 'files' || !isDry || isUnchanged()) return { ...setup, store }
  await copyDatabase(store, copy)
  return { ...setup, store: copy }
}

function hasReplaced(file: string, hosts: PhotoHosts, publicFiles: Manifest): boolean {
  const store = openPictureStore(file, showOnStderr)
  try {
    return findReplaced(publicFiles, { store, hosts, readPublicFile }).length > 0
  } finally {
    store.close()
  }
}

/** Returns the bytes of a file in the public folder; `null` if there is no such file. */
export function readPublicFile(path: string): Uint8Array | null {
  const file = resolve(ROOT, 'public', path)
  return file.startsWith(resolve(ROOT, 'public') + sep) && existsSync(file) ? readFileSync(file) : null
}

async function copyState(state: string, copy: string): Promise<void> {
  for (const name of [SNAPSHOT, RECORD]) await copyDatabase(join(state, name), join(copy, name))
}
