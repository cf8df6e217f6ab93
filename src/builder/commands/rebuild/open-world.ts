/** Opens the world of a rebuild: locks, state, output, pictures, renderers and source. Keeps it open between runs. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setAsideDamaged } from '../../pictures/set-aside.ts'
import { openPictures } from '../../pictures/open-pictures.ts'
import { refuseForeign } from '../../rebuild/find-reason.ts'
import { readMarker } from '../../rebuild/rebuild.ts'
import type { PageInputs, Renderers, World } from '../../rebuild/world.ts'
import { countThreads, startWriterThreads } from '../../rebuild/writer-threads.ts'
import type { Renderer } from '../../renderer/load-renderer.ts'
import { loadRenderer } from '../../renderer/load-renderer.ts'
import { findRenderer, listKeptAssets } from '../../renderer/renderer-store.ts'
import { isDamage, readResultCode } from '../../result-codes.ts'
import { lockFolders } from '../../state/locks.ts'
import { createOutput } from '../../state/output.ts'
import { ROOT, STORE } from '../../files/project-folder.ts'
import { openState } from '../../state/site-state.ts'
import { removeDatabase } from '../../state/sqlite/open-database.ts'
import { openConfigured } from './open-configured-source.ts'
import { createInputReader, readPublicFile } from './page-inputs.ts'
import type { BuildOptions } from './rebuild-options.ts'

/** The databases in the folder of the state. */
const STATE = 'state.sqlite'
const PICTURES = 'pictures.sqlite'

// In a bundle, the module of render threads lies beside this one.
const THREAD = fileURLToPath(
  new URL(
    import.meta.url.endsWith('.mjs') ? 'render-thread.mjs' : '../../rebuild/render-thread.ts',
    import.meta.url,
  ),
)

export interface OpenWorld extends World {
  close(): void
}

/** How a world shows the user its steps and its warnings. */
export type WorldTools = Readonly<Record<'progress' | 'warn', (text: string) => void>>

/**
 * Throws a `BusyError` if another process uses the state or the output folder, also for a run that is only explained:
 * it would see the half of another run.
 */
export function openWorld(options: BuildOptions, tools: WorldTools): OpenWorld {
  // Before a lock is made beside a folder of others.
  refuseForeign(createOutput(options.output))
  const lock = lockFolders(options)
  try {
    const world = openLocked(options, tools)
    return { ...world, close: () => [world.close, lock.release].forEach((end) => end()) }
  } catch (error) {
    lock.release()
    throw error
  }
}

function openLocked(options: BuildOptions, { progress, warn }: WorldTools): OpenWorld {
  const { configuration, isExplained, isShrinkAllowed } = options
  const { site, photos, maxProducts } = configuration
  const folder = resolve(options.output)
  // A run that is explained creates no database.
  const [file = '', store = ''] = [STATE, PICTURES]
    .map((name) => resolve(options.state, name))
    .map((path) => (isExplained && !existsSync(path) ? ':memory:' : path))
  const state = openState(file)
  const output = createOutput(folder)
  const setup = { ...photos, brand: site.name, store }
  const shared = { state: file, output: folder, site, maxProducts, pictures: setup }
  const pictures = openPictures(setup, { readPublicFile, now: Date.now, warn })
  const readInputs = createInputReader(configuration, options.isFull)
  const hasSellers = (): boolean => (readMarker({ output })?.sellers ?? state.readTotals().sellers) > 0
  return {
    options,
    state,
    output,
    pictures,
    renderers: createRenderers(site, readInputs),
    readInputs,
    openSource: () =>
      openConfigured(configuration, { isExplained, mayCreate: isShrinkAllowed || !hasSellers() }),
    startWriters:
      countThreads() === 1
        ? null
        : ({ inputs, kept: { server }, isWhole }) =>
            startWriterThreads(THREAD, {
              ...shared,
              server,
              isWhole,
              publicFiles: Object.keys(inputs.publicFiles),
            }),
    clock: Date.now,
    progress,
    close: () => [state, pictures].forEach((one) => one.close()),
  }
}

function createRenderers(site: PageInputs['site'], readInputs: () => PageInputs): Renderers {
  const loaded = new Map<string, Promise<Renderer>>()
  return {
    find: (code) => findRenderer(STORE, code),
    compile: async (code) => {
      const { compileRenderer } = await import('../../renderer/compile.ts')
      return compileRenderer({ root: ROOT, store: STORE, code }, () => readInputs().code)
    },
    load: ({ server }) => {
      const renderer = loaded.get(server) ?? loadRenderer(server, site)
      loaded.set(server, renderer)
      return renderer
    },
    listKeptAssets: () => listKeptAssets(STORE),
  }
}

/** Closed at the end of the block that declares it with `using`. */
export interface KeptWorld extends Disposable {
  /** Runs `work` on the open world, and a second time if the state is found damaged in the first. */
  use<Result>(work: (world: OpenWorld) => Promise<Result>): Promise<Result>
}

/** The world is opened when it is first used. */
export function keepWorld(options: BuildOptions, tools: WorldTools): KeptWorld {
  let world: OpenWorld | null = null
  const close = (): void => {
    world?.close()
    world = null
  }
  return {
    use: async (work) => {
      try {
        return await work((world ??= openWorld(options, tools)))
      } catch (error) {
        if (!isDamage(error)) throw nameFolder(error, options.state)
        tools.warn('rebuild: the state is damaged, so everything is read again')
        close()
        removeDamaged(options.state, tools.warn)
        return work((world = openWorld(options, tools)))
      }
    },
    [Symbol.dispose]: close,
  }
}

/**
 * Removes the state after an error that reports damage, so that the next run reads everything. Pictures cannot be made
 * anew, so a damaged picture store is renamed. No process may have the files open.
 */
export function removeDamaged(folder: string, warn: (message: string) => void): void {
  removeDatabase(join(folder, STATE))
  setAsideDamaged(join(folder, PICTURES), warn)
}

/** Returns the error. If it is one of SQLite, its message then names the folder: SQLite names no file. */
function nameFolder(error: unknown, folder: string): unknown {
  if (error instanceof Error && readResultCode(error) > 0 && !error.message.startsWith(folder))
    error.message = `${folder}: ${error.message}`
  return error
}
