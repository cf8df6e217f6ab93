/** Opens the world of a rebuild: locks, state, output, pictures, renderers and source. */
import { join, resolve } from 'node:path'
import { needsPreviews } from '../../../domain/documents/page-switches.ts'
import { MARKER, parseMarker } from '../../../domain/wire/site-marker.ts'
import { openPictures } from '../../pictures/open-pictures.ts'
import { findThread } from '../../rebuild/find-thread.ts'
import type { PageInputs, Renderers, World } from '../../rebuild/world.ts'
import { countThreads, startWriterThreads } from '../../rebuild/writer-threads.ts'
import type { Renderer } from '../../renderer/load-renderer.ts'
import { loadRenderer } from '../../renderer/load-renderer.ts'
import { findRenderer, listKeptAssets } from '../../renderer/renderer-store.ts'
import { isDamage } from '../../result-codes.ts'
import { lockFolders } from '../../state/locks.ts'
import { createOutput } from '../../state/output.ts'
import { ROOT, STORE } from '../../state/project-folder.ts'
import { openState } from '../../state/site-state.ts'
import type { BuildOptions } from '../options.ts'
import { openConfigured } from './open-configured-source.ts'
import { createInputReader, readPublicFile } from './page-inputs.ts'
import { PICTURES, removeState, removeUnknown, STATE } from './state-files.ts'

export interface OpenWorld extends World {
  close(): void
}

/** How a world shows the user its steps and its warnings. */
export type WorldTools = Readonly<Record<'progress' | 'warn', (text: string) => void>>

export interface KeptWorld {
  /** Runs `work` on the open world; once more, with an empty state, if the state is found to be damaged. */
  use<Result>(work: (world: OpenWorld) => Promise<Result>): Promise<Result>
  close(): void
}

/** Keeps a world open between runs. It is opened for the first of them. */
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
        if (!isDamage(error)) throw error
        tools.warn('rebuild: the state is damaged, so everything is read again')
        close()
        removeState(options.state)
        return work((world = openWorld(options, tools)))
      }
    },
    close,
  }
}

function openWorld(options: BuildOptions, tools: WorldTools): OpenWorld {
  const lock = lockFolders({ ...options, command: nameCommand(options) })
  try {
    const world = openLocked(options, tools)
    return { ...world, close: () => [world.close, lock.release].forEach((end) => end()) }
  } catch (error) {
    lock.release()
    throw error
  }
}

function nameCommand({ isPending, isWatch }: BuildOptions): string {
  // Only the builder service both builds pending sellers and keeps running.
  if (isPending) return isWatch ? 'builder' : 'rebuild --pending'
  return isWatch ? 'rebuild --watch' : 'rebuild'
}

function openLocked(options: BuildOptions, { progress, warn }: WorldTools): OpenWorld {
  const { configuration, isExplained, isShrinkAllowed } = options
  const { site, photos } = configuration
  const [folder, file] = [resolve(options.output), resolve(options.state, STATE)]
  if (!isExplained) removeUnknown(options.state)
  const state = openState(file)
  const output = createOutput(folder)
  const setup = {
    ...photos,
    brand: site.name,
    makesPreviews: needsPreviews(site),
    store: join(options.state, PICTURES),
  }
  const pictures = openPictures(setup, { readPublicFile, now: Date.now, warn })
  const readInputs = createInputReader(configuration, options.isFull)
  const hasSellers = (): boolean => state.readTotals().sellers > 0 || countSellers(output.read(MARKER)) > 0
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
        : ({ inputs, kept: { server }, isWhole }) => {
            const publicFiles = Object.keys(inputs.publicFiles)
            const { maxProducts } = inputs
            const shared = {
              state: file,
              output: folder,
              server,
              site,
              maxProducts,
              publicFiles,
              pictures: setup,
              isWhole,
            }
            return startWriterThreads(findThread(), shared)
          },
    clock: Date.now,
    progress,
    close: () => [state, pictures].forEach((one) => one.close()),
  }
}

function countSellers(marker: Uint8Array | null): number {
  return marker === null ? 0 : (parseMarker(new TextDecoder().decode(marker))?.sellers ?? 0)
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
