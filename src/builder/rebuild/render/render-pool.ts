/** Renders pages in worker threads. */
import { mkdirSync } from 'node:fs'
import { isOfSeller } from '../../../domain/documents/page-table.ts'
import type { TaskPage, TaskResult, WorkerSetup } from './render-task.ts'
import type { RenderedContent, PageRenderer, PageResult } from './render-page.ts'
import type { PageSource } from '../plan/page-sources.ts'
import type { RenderStep } from '../plan/plan-site.ts'
import { countThreads } from './count-threads.ts'
import { createFailure } from './render-page.ts'
import type { Workers } from './task-workers.ts'
import { createWorkers, WorkersError } from './task-workers.ts'

export interface RenderPool extends PageRenderer {
  /** Number of concurrent tasks that keeps every worker busy. */
  readonly width: number
  close(): Promise<void>
}

export interface WorkerOptions {
  /** Path of the worker's module. */
  readonly worker: string
  readonly setup: WorkerSetup
  readonly threads?: number
  /** Time limit of a task, in milliseconds. */
  readonly patience?: number
}

export type TaskWorkers = Workers<readonly TaskPage[], readonly TaskResult[]>

export interface PoolOptions extends WorkerOptions {
  /** Workers that were already started with these options. */
  readonly workers?: TaskWorkers
  readonly generation: number
}

/** In milliseconds. Rendering a page takes a few milliseconds, so a task that takes this long hangs. */
const PATIENCE = 60_000

/** Starts workers. They load their code at once, but touch neither snapshot nor output before their first task. */
export function startWorkers({ worker, setup, patience = PATIENCE, threads }: WorkerOptions): TaskWorkers {
  return createWorkers({ module: worker, data: setup, threads: threads ?? countThreads(), patience })
}

export function createPool(options: PoolOptions): RenderPool {
  const { setup, generation, threads = countThreads(), workers = startWorkers(options) } = options
  mkdirSync(setup.partial, { recursive: true })
  return {
    // For each worker: one task that runs, and one that waits.
    width: threads * 2,
    render: (pages) => renderInWorkers(pages, generation, workers.run),
    close: workers.close,
  }
}

type Run = (pages: readonly TaskPage[]) => Promise<readonly TaskResult[]>

async function renderInWorkers(
  pages: readonly RenderStep[],
  generation: number,
  run: Run,
): Promise<readonly PageResult[]> {
  const tasks = pages.map((page) => ({
    page: createTaskPage(page),
    digest: page.recorded?.digest ?? null,
  }))
  const results = await run(tasks).catch((error: unknown) => {
    if (error instanceof WorkersError) throw error
    return runOneByOne(tasks, run)
  })
  return pages.map((page, index) => toRendering(page, results[index], generation))
}

function createTaskPage(page: PageSource): TaskPage['page'] {
  if (!isOfSeller(page)) return { path: page.path, data: page.reader.read(page) }
  const { kind, seller, product } = page
  return { kind, seller, product }
}

// A page that ends its worker (out of memory) or hangs fails its whole task. The pages of the task are then run one by
// one, so that only that page fails.
async function runOneByOne(tasks: readonly TaskPage[], run: Run): Promise<readonly TaskResult[]> {
  const results: TaskResult[] = []
  for (const task of tasks) {
    const alone = await run([task]).catch((error: Error): readonly TaskResult[] => {
      if (error instanceof WorkersError) throw error
      return [{ reason: error.message, errcode: 0 }]
    })
    results.push(...alone)
  }
  return results
}

function toRendering(page: PageSource, result: TaskResult | undefined, generation: number): PageResult {
  if (result === undefined) return createFailure(page, new Error('the worker returned no result'))
  if ('reason' in result) {
    const error = new Error(result.reason)
    if (result.errcode > 0) throw Object.assign(error, { errcode: result.errcode })
    return createFailure(page, error)
  }
  const { path, seller } = page
  const { data, digest, shows, partial } = result
  const content: RenderedContent = partial === null ? { kind: 'same' } : { kind: 'waiting', name: partial }
  return { row: { path, kind: 'page', seller, generation, data, digest }, shows, content }
}
