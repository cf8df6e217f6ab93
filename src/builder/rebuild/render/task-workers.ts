/** Runs tasks in worker threads. Every task settles; after `close` or if no worker can run, all tasks fail. */
import { setImmediate } from 'node:timers/promises'
import type { ResourceLimits } from 'node:worker_threads'
import Tinypool from 'tinypool'
import { readMessage } from '../../../domain/documents/errors.ts'

export interface Workers<Task, Result> {
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
  /** Memory limits of each thread; those of rendering if missing. */
  readonly limits?: ResourceLimits
}

// So that a page that is far too large ends only its worker. A smaller young generation takes 10 % more time.
const LIMITS: ResourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 24 }

export function createWorkers<Task, Result>(options: WorkersOptions): Workers<Task, Result> {
  const { module, data, threads, patience, limits = LIMITS } = options
  const pool = new Tinypool({
    filename: module,
    runtime: 'worker_threads',
    minThreads: threads,
    maxThreads: threads,
    resourceLimits: limits,
    workerData: data,
  })
  let end: WorkersError | null = null
  const findEnd = (): WorkersError | null => end
  // The waiting calls. One promise for all of them would keep each result until it settles.
  const waiting = new Set<(error: Error) => void>()
  const stop = (message: string, cause?: unknown): void => {
    const error = (end ??= new WorkersError(message, { cause }))
    for (const reject of waiting) reject(error)
  }
  const hasStarted = watchStart(pool)
  // The error of a worker without a task. Tinypool may then leave waiting tasks unassigned.
  pool.on('error', (error: Error) => stop(`A worker ended: ${error.message}`, error))
  const run = async (task: Task): Promise<Result> => {
    if (end !== null) throw end
    const signal = AbortSignal.timeout(patience)
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    waiting.add(reject)
    pool.run(task, { signal }).then((result) => resolve(result as Result), reject)
    try {
      return await promise
    } catch (error) {
      if (signal.aborted) throw new Error(`it did not finish in ${patience / 1000} s`, { cause: error })
      if (findEnd() === null && !(await hasStarted()))
        stop(`No worker can start: ${readMessage(error)}`, error)
      throw findEnd() ?? error
    } finally {
      waiting.delete(reject)
    }
  }
  const close = async (): Promise<void> => {
    stop('The workers are closed')
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
