/** Renders catalogue pages in worker threads; the few others in this process. */
import { mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import Tinypool from 'tinypool'
import type { SiteRecord } from '../state/record/record.ts'
import type { TaskPage, TaskResult, WorkerSetup } from './render-task.ts'
import type { Content, PageRenderer, PageRequest, Rendering } from './render-page.ts'
import { createFailure } from './render-page.ts'

export interface RenderPool extends PageRenderer {
  /** How many tasks keep every worker busy. */
  readonly width: number
  close(): Promise<void>
}

export interface PoolOptions {
  /** The worker's module. */
  readonly worker: string
  readonly setup: WorkerSetup
  readonly record: SiteRecord
  readonly generation: number
  /** Renders pages that are not a seller's. */
  readonly direct: PageRenderer
  readonly threads?: number
}

// In MB, so that a page that is far too large ends its worker only. Less room for the young costs a tenth of the time.
const LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 24 }

// More would take more memory than a rebuild may, and wait for the thread that records and places their pages.
const MOST_THREADS = 4

export function createPool(options: PoolOptions): RenderPool {
  const { worker, setup, threads = Math.min(MOST_THREADS, availableParallelism()) } = options
  mkdirSync(setup.partial, { recursive: true })
  const pool = new Tinypool({
    filename: worker,
    runtime: 'worker_threads',
    minThreads: threads,
    maxThreads: threads,
    resourceLimits: LIMITS,
    workerData: setup,
  })
  const run = (pages: readonly TaskPage[]): Promise<readonly TaskResult[]> =>
    pool.run(pages) as Promise<TaskResult[]>
  return {
    // One task waits for each that runs.
    width: threads * 2,
    render: (pages) => renderAll(pages, options, run),
    close: () => pool.destroy(),
  }
}

type Run = (pages: readonly TaskPage[]) => Promise<readonly TaskResult[]>

async function renderAll(
  pages: readonly PageRequest[],
  options: PoolOptions,
  run: Run,
): Promise<readonly Rendering[]> {
  const catalogues = pages.filter((page): page is CatalogueRequest => page.seller !== null)
  const others = pages.filter(({ seller }) => seller === null)
  const [rendered, direct] = await Promise.all([
    renderCatalogues(catalogues, options, run),
    options.direct.render(others),
  ])
  return [...rendered, ...direct]
}

type CatalogueRequest = PageRequest & { readonly seller: string }

async function renderCatalogues(
  pages: readonly CatalogueRequest[],
  options: PoolOptions,
  run: Run,
): Promise<readonly Rendering[]> {
  const tasks = pages.map(({ path, seller }) => ({ seller, digest: options.record.findDigest(path) }))
  const results = await run(tasks).catch(() => runOneByOne(tasks, run))
  return pages.map((page, index) => toRendering(page, results[index], options.generation))
}

// A page that ends its worker (out of memory) takes the others of its task along, but only the first time.
async function runOneByOne(tasks: readonly TaskPage[], run: Run): Promise<readonly TaskResult[]> {
  const results: TaskResult[] = []
  for (const task of tasks) {
    const alone = await run([task]).catch((error: Error): readonly TaskResult[] => [
      { reason: error.message },
    ])
    results.push(...alone)
  }
  return results
}

function toRendering(page: CatalogueRequest, result: TaskResult | undefined, generation: number): Rendering {
  if (result === undefined) return createFailure(page, new Error('its worker gave no answer'))
  if ('reason' in result) return createFailure(page, new Error(result.reason))
  const { path, seller } = page
  const { data, digest, shows, partial } = result
  const content: Content = partial === null ? { kind: 'same' } : { kind: 'waiting', name: partial }
  return { row: { path, kind: 'page', seller, generation, data, digest }, shows, content }
}
