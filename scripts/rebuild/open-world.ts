/** Opens what a rebuild needs: locks, state, output, and the ways to the source and the renderer. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileRenderer, findRenderer } from '../../src/rebuild/compile.ts'
import { UsageError } from '../../src/rebuild/configuration.ts'
import { BusyError } from '../../src/rebuild/exit.ts'
import {
  hashBytes,
  hashDoor,
  hashManifest,
  readCodeManifest,
  readManifest,
  readRuntime,
} from '../../src/rebuild/fingerprint.ts'
import { createOutput, PARTIAL } from '../../src/rebuild/output.ts'
import { openRecord } from '../../src/rebuild/open-record.ts'
import type { Renderer } from '../../src/rebuild/renderer.ts'
import { loadRenderer } from '../../src/rebuild/renderer.ts'
import type { World } from '../../src/rebuild/world.ts'
import type { PictureSetup } from '../../src/photos/open-pictures.ts'
import { openPictures } from '../../src/photos/open-pictures.ts'
import { openSnapshot } from '../../src/snapshot/open.ts'
import type { Source } from '../../src/sources/source.ts'
import { copyDatabase } from '../../src/sqlite/copy.ts'
import type { Lock } from '../../src/sqlite/lock.ts'
import { acquireLock } from '../../src/sqlite/lock.ts'
import { removeDatabase } from '../../src/sqlite/open.ts'
import { keepOpen } from './keep-open.ts'
import { openConfigured } from './open-source.ts'
import type { CommandOptions } from './rebuild-options.ts'
import { ROOT, STORE } from '../support/root.ts'

export interface OpenWorld extends World {
  close(): void
}

export const SNAPSHOT = 'snapshot.sqlite'
export const RECORD = 'record.sqlite'
export const PICTURES = 'pictures.sqlite'

/** A dry run takes no lock and works on copies, so that nothing it does lasts. */
export async function openWorld(
  options: CommandOptions,
  progress: (text: string) => void,
): Promise<OpenWorld> {
  const isDry = options.dryRun !== 'no'
  const locks = isDry ? [] : lockFolders(options)
  const state = isDry ? await copyState(options.state) : options.state
  const snapshot = openSnapshot(join(state, SNAPSHOT))
  const record = openRecord(join(state, RECORD))
  const code = hashCode()
  const { site, keepsPages } = options.configuration
  const pictureSetup = createPictureSetup(options)
  const publicFiles = readManifest(join(ROOT, 'public'), '.')
  const pictures = openPictures(pictureSetup, { readPublicFile, now: Date.now })
  const openOnce = (): Promise<Source> => openConfigured(options.configuration, isDry ? state : '.')
  const connection = options.isWatch && options.configuration.firestore !== null ? keepOpen(openOnce) : null
  const openSource = connection?.open ?? openOnce
  // Loaded once: its code does not change while this process lives.
  let renderer: Promise<Renderer> | undefined
  return {
    options,
    settings: site,
    keepsPages,
    code,
    runtime: readRuntime(),
    door: hashDoor(ROOT),
    snapshot,
    record,
    output: createOutput(resolve(options.output)),
    pictures,
    openSource,
    findRenderer: () => findRenderer(STORE, code),
    compile: () => compileRenderer({ root: ROOT, store: STORE, code }, hashCode),
    loadRenderer: (kept) => (renderer ??= loadRenderer(kept.server, site)),
    openPool: async (kept, generation, direct) => {
      const { createPool } = await import('../../src/rebuild/pool.ts')
      const setup = {
        snapshot: join(state, SNAPSHOT),
        server: kept.server,
        partial: join(resolve(options.output), PARTIAL),
        publicFiles: Object.keys(publicFiles),
        settings: site,
        pictures: pictureSetup,
      }
      return createPool({ worker: findWorker(), setup, record, generation, direct })
    },
    publicFiles,
    readPublicFile: (path) => readFileSync(join(ROOT, 'public', path)),
    now: () => performance.now(),
    progress,
    close: () => {
      connection?.close()
      snapshot.close()
      record.close()
      pictures.close()
      if (isDry) rmSync(state, { recursive: true })
      for (const lock of locks) lock.release()
    },
  }
}

// Never copied: a dry run only reads it.
function createPictureSetup({
  configuration: { site, photos },
  state,
  dryRun,
}: CommandOptions): PictureSetup {
  const store = join(state, PICTURES)
  return { ...photos, brand: site.name, store: dryRun !== 'no' && !existsSync(store) ? ':memory:' : store }
}

export function removeState(state: string): void {
  for (const name of [SNAPSHOT, RECORD, PICTURES]) removeDatabase(join(state, name))
}

/** A photo of the public folder, `null` when there is none. */
export function readPublicFile(path: string): Uint8Array | null {
  const file = resolve(ROOT, 'public', path)
  return file.startsWith(resolve(ROOT, 'public') + sep) && existsSync(file) ? readFileSync(file) : null
}

function hashCode(): string {
  return hashManifest(readCodeManifest(ROOT))
}

/** Throws a `BusyError`. */
export function lockFolders({ state, output }: Pick<CommandOptions, 'state' | 'output'>): readonly Lock[] {
  if (`${resolve(state)}/`.startsWith(`${resolve(output)}/`)) {
    throw new UsageError(
      'The state cannot stand in the output folder, which holds the site and nothing else.',
    )
  }
  mkdirSync(state, { recursive: true })
  const target = existsSync(output) ? realpathSync(output) : resolve(output)
  // Not in the output folder itself: that holds the site and nothing else.
  const outputLock = join(tmpdir(), `vitrina-${hashBytes(target).slice(0, 16)}.lock`)
  const locks: Lock[] = []
  for (const file of [join(state, 'lock.sqlite'), outputLock]) {
    const lock = acquireLock(file)
    if (lock === null) {
      for (const held of locks) held.release()
      throw new BusyError(
        `Another rebuild is at work on ${state} or ${output}. Wait for it to end, then run again.`,
      )
    }
    locks.push(lock)
  }
  return locks
}

async function copyState(state: string): Promise<string> {
  const copy = mkdtempSync(join(tmpdir(), 'vitrina-dry-run-'))
  for (const name of ['snapshot.sqlite', 'record.sqlite'])
    await copyDatabase(join(state, name), join(copy, name))
  return copy
}

// Beside this code, bundled or not.
function findWorker(): string {
  const isBundled = import.meta.url.endsWith('.mjs')
  return fileURLToPath(new URL(isBundled ? 'render-worker.mjs' : 'render-worker.ts', import.meta.url))
}
