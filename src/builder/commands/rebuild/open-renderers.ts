/** Finds, compiles and loads renderers, and starts the workers that render with them. */
import { dirname } from 'node:path'
import type { TaskWorkers, WorkerOptions } from '../../rebuild/render/render-pool.ts'
import type { WorkerSetup } from '../../rebuild/render/render-task.ts'
import type { PageInputs, Renderers } from '../../rebuild/world.ts'
import type { KeptRenderer } from '../../renderer/renderer-store.ts'
import { compileRenderer, findRenderer } from '../../renderer/compile.ts'
import { readInputManifest } from '../../renderer/fingerprint.ts'
import type { Renderer } from '../../renderer/load-renderer.ts'
import { loadRenderer } from '../../renderer/load-renderer.ts'
import { isRendererDamaged } from '../../renderer/renderer-files.ts'
import { hashManifest } from '../../state/manifest.ts'
import { ROOT, STORE } from '../../state/project-folder.ts'
import { findWorker } from './find-worker.ts'

interface OpenRenderers extends Renderers {
  /** Ends workers that were started early and that no pool has taken over. */
  close(): void
}

interface EarlyWorkers {
  readonly server: string
  readonly workers: TaskWorkers
}

export function createRenderers(
  { compiled: code, settings }: PageInputs,
  setup: Omit<WorkerSetup, 'server'>,
): OpenRenderers {
  // The renderer is loaded once, because its code does not change during this process.
  let renderer: Promise<Renderer> | undefined
  let early: Promise<EarlyWorkers | null> | null = null
  const close = (): void => {
    void early?.then((started) => started?.workers.close())
    early = null
  }
  // Ends the early workers, because a compile also replaces a damaged renderer, which they may have failed to load.
  const compile = (): Promise<KeptRenderer> => {
    close()
    return compileRenderer({ root: ROOT, store: STORE, code }, hashInputs)
  }
  // Checks all files before any is loaded, because pages are loaded when they are first rendered, and Node loads no
  // module again that failed.
  const repair = async (kept: KeptRenderer): Promise<KeptRenderer> =>
    isRendererDamaged(dirname(kept.server)) ? compile() : kept
  const loadSound = async (kept: KeptRenderer): Promise<Renderer> =>
    loadRenderer((await repair(kept)).server, settings)
  const createOptions = (server: string): WorkerOptions => ({
    worker: findWorker('render-worker'),
    setup: { ...setup, server },
  })
  const start = async (): Promise<EarlyWorkers | null> => {
    const kept = findRenderer(STORE, code)
    if (kept === null) return null
    const { startWorkers } = await import('../../rebuild/render/render-pool.ts')
    return { server: kept.server, workers: startWorkers(createOptions(kept.server)) }
  }
  return {
    find: () => findRenderer(STORE, code),
    compile,
    startWorkers: async () => {
      // Ignores errors, because the pool reports why workers cannot start.
      await (early ??= start().catch(() => null))
    },
    close,
    load: (kept) => (renderer ??= loadSound(kept)),
    openPool: async (kept, generation) => {
      const { server } = await repair(kept)
      const { createPool } = await import('../../rebuild/render/render-pool.ts')
      const options = { ...createOptions(server), generation }
      const started = await early
      if (started?.server !== server) return createPool(options)
      early = null
      return createPool({ ...options, workers: started.workers })
    },
  }
}

/** Returns a hash of the inputs of a compile. */
export function hashInputs(): string {
  return hashManifest(readInputManifest(ROOT))
}
