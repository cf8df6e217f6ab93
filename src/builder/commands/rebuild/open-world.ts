/** Opens what a rebuild needs: locks, state, output, and the ways to the source and the renderer. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { KeptRenderer } from '../../renderer/compile.ts'
import { compileRenderer, findRenderer } from '../../renderer/compile.ts'
import { lockFolders } from '../../state/lock-folders.ts'
import { hashManifest, readManifest } from '../../state/manifest.ts'
import { hashDoor, readCodeManifest, readRuntime } from '../../renderer/fingerprint.ts'
import { createOutput, PARTIAL } from '../../state/output/output.ts'
import { openRecord } from '../../state/record/open-record.ts'
import type { Renderer } from '../../renderer/load-renderer.ts'
import { loadSoundRenderer } from '../../renderer/load-sound-renderer.ts'
import type { World } from '../../rebuild/world.ts'
import type { PictureSetup } from '../../pictures/open-pictures.ts'
import { openPictures } from '../../pictures/open-pictures.ts'
import { openSnapshot } from '../../state/snapshot/open-snapshot.ts'
import type { Source } from '../../sources/source.ts'
import { copyDatabase } from '../../state/sqlite/copy-database.ts'
import { removeDatabase } from '../../state/sqlite/open-database.ts'
import { keepOpen } from './keep-open.ts'
import { openConfigured } from './open-configured-source.ts'
import type { CommandOptions } from './rebuild-options.ts'
import { ROOT, STORE } from '../../state/project-folder.ts'

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
  const compile = (): Promise<KeptRenderer> => compileRenderer({ root: ROOT, store: STORE, code }, hashCode)
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
    compile,
    loadRenderer: (kept) => (renderer ??= loadSoundRenderer(kept, { site, compile })),
    openPool: async (kept, generation, direct) => {
      const { createPool } = await import('../../rebuild/render-pool.ts')
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
