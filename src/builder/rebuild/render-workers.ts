/** Runs tasks in worker threads. Every task settles; after `close` or if no worker can run, all tasks fail. */
import { setImmediate } from 'node:timers/promises'
import Tinypool from 'tinypool'

export interface RenderWorkers<Task, Result> {
  /** Throws a `WorkersError` if no more tasks can run; any other error concerns this task only. */
  run(task: Task): Promise<Result>
  close(): Promise<void>
}

/** No worker can run anything. */
export class WorkersError extends Error {
  override readonly name = 'WorkersError'
}

export interface WorkersOptions {
  /** The worker's module. */
  readonly module: string
  readonly data: unknown
  readonly threads: number
  /** Time limit of a task, in milliseconds. */
  readonly patience: number
}

// So that a page that is far too large ends only its worker. A smaller young generation takes 10 % more time.
const LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 24 }

export function createWorkers<Task, Result>(options: WorkersOptions): RenderWorkers<Task, Result> {
  const { module, data, threads, patience } = options
  const pool = new Tinypool({
    filename: module,
    runtime: 'worker_threads',
    minThreads: threads,
    maxThreads: threads,
    resourceLimits: LIMITS,
    workerData: data,
  })
  const end = Promise.withResolvers<never>()
  // Each `run` reports the rejection; without a task it must not be unhandled.
  end.promise.catch(() => {})
  let isEnded = false
  const stop = (message: string, cause?: unknown): void => {
    isEnded = true
    end.reject(new WorkersError(message, { cause }))
  }
  const hasStarted = watchStart(pool)
  // The error of a worker without a task. Tinypool may then leave waiting tasks unassigned.
  pool.on('error', (error: Error) => stop(`A render worker ended: ${error.message}`, error))
  const run = async (task: Task): Promise<Result> => {
    if (isEnded) return end.promise
    const signal = AbortSignal.timeout(patience)
    try {
      return await Promise.race([pool.run(task, { signal }) as Promise<Result>, end.promise])
    } catch (error) {
      if (signal.aborted) throw new Error(`it did not finish in ${patience / 1000} s`, { cause: error })
      if (!isEnded && !(await hasStarted())) stop(`No render worker can start: ${readMessage(error)}`, error)
      if (isEnded) return end.promise
      throw error
    }
  }
  const close = async (): Promise<void> => {
    stop('The render workers are closed')
    // Instead of `destroy`, which throws if a worker fails meanwhile, and replaces it. Source: tinypool 2.2.0
    pool.options.minThreads = 0
    await Promise.all(pool.threads.map((thread) => thread.terminate()))
  }
  return { run, close }
}

// The first message of a worker says that its module is loaded.
function watchStart({ threads }: Tinypool): () => Promise<boolean> {
  let hasStarted = false
  for (const thread of threads) thread.once('message', () => (hasStarted = true))
  return async () => {
    // The message may arrive together with the error.
    if (!hasStarted) await setImmediate()
    return hasStarted
  }
}

function readMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
