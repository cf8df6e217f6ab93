/**
 * Runs tasks in worker threads. Every task settles; after `close`, or if no worker can run, all tasks fail.
 *
 * Libraries for worker pools do not queue a second task in a worker if tasks have a time limit, so a worker that
 * finishes a task is idle until the main thread sends the next one. Here a second task waits in each worker. If a
 * worker ends or hangs during a task, only that task fails. If an idle worker ends, all tasks fail.
 */
import { setImmediate } from 'node:timers/promises'
import type { ResourceLimits } from 'node:worker_threads'
import { Worker } from 'node:worker_threads'
import { readMessage } from '../../../domain/documents/errors.ts'
import type { WorkerMessage } from './serve-tasks.ts'

export interface Workers<Task, Result> {
  /** Throws a `WorkersError` if no more tasks can run; any other error concerns this task only. */
  run(task: Task): Promise<Result>
  close(): Promise<void>
}

/** No more tasks can run: no worker could start, an idle worker ended, or the workers were closed. */
export class WorkersError extends Error {
  override readonly name = 'WorkersError'
}

interface WorkersOptions {
  /** Path of the worker's module, which calls `serveTasks`. */
  readonly module: string
  readonly data: unknown
  readonly threads: number
  /** Time limit of a task, in milliseconds. */
  readonly patience: number
  /** Memory limits of each thread; default: `LIMITS`, the limits for rendering. */
  readonly limits?: ResourceLimits
}

// Bounds the memory of a worker, so that a page that is far too large ends only its worker, not the process. A smaller
// young generation would make rendering take 10 % longer.
const LIMITS: ResourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 24 }

/** Max tasks per worker: one that runs, and one that waits. */
const DEPTH = 2

interface Job<Task, Result> extends PromiseWithResolvers<Result> {
  readonly task: Task
}

export function createWorkers<Task, Result>(options: WorkersOptions): Workers<Task, Result> {
  const threads = new Set<Thread<Task, Result>>()
  const waiting: Job<Task, Result>[] = []
  let end: WorkersError | null = null
  const stop = (message: string, cause?: unknown): void => {
    if (end !== null) return
    end = new WorkersError(message, { cause })
    for (const thread of threads) waiting.push(...thread.takeJobs())
    for (const { reject } of waiting.splice(0)) reject(end)
  }
  const assign = (): void => {
    for (const job of waiting.splice(0)) {
      const [thread] = [...threads].sort((a, b) => a.count() - b.count())
      if (thread !== undefined && thread.count() < DEPTH) thread.give(job)
      else waiting.push(job)
    }
  }
  const open = (): void => {
    const thread = openThread<Task, Result>(options, {
      settled: assign,
      ended: (error, isStarted) => {
        threads.delete(thread)
        const jobs = thread.takeJobs()
        waiting.unshift(...jobs)
        if (!isStarted && threads.size === 0) return stop(`No worker can start: ${readMessage(error)}`, error)
        if (isStarted && jobs.length === 0) return stop(`A worker ended: ${readMessage(error)}`, error)
        if (isStarted) {
          waiting.shift()?.reject(error)
          open()
        }
        assign()
      },
    })
    threads.add(thread)
  }
  for (let count = 0; count < options.threads; count += 1) open()
  return {
    run: async (task) => {
      if (end !== null) throw end
      const job = { task, ...Promise.withResolvers<Result>() }
      waiting.push(job)
      assign()
      return job.promise
    },
    close: async () => {
      stop('The workers are closed')
      await Promise.all([...threads].map((thread) => thread.terminate()))
    },
  }
}

interface Thread<Task, Result> {
  count(): number
  give(job: Job<Task, Result>): void
  /** Removes and returns all jobs. The first is the one that the worker is running. */
  takeJobs(): readonly Job<Task, Result>[]
  terminate(): Promise<unknown>
}

interface ThreadEvents {
  readonly settled: () => void
  /**
   * Called once, when the worker has ended or hangs. The worker carries out no more tasks. `isStarted`: whether the
   * worker had sent a message.
   */
  readonly ended: (error: unknown, isStarted: boolean) => void
}

function openThread<Task, Result>(
  { module, data, patience, limits = LIMITS }: WorkersOptions,
  { settled, ended }: ThreadEvents,
): Thread<Task, Result> {
  const jobs: Job<Task, Result>[] = []
  const worker = new Worker(module, { workerData: data, resourceLimits: limits })
  let timer: NodeJS.Timeout | undefined
  let isStarted = false
  let hasEnded = false
  let problem: unknown
  const finish = (error: unknown): void => {
    if (hasEnded) return
    hasEnded = true
    ended(error, isStarted)
  }
  // Waits for one turn of the event loop, because timers run before messages: if this thread was busy, the result may
  // have arrived in time.
  const expire = async (): Promise<void> => {
    const [current] = jobs
    await setImmediate()
    if (jobs[0] !== current) return
    void worker.terminate()
    finish(new Error(`the worker did not finish in ${patience / 1000} s`))
  }
  // Limits the time of the current task. The timer also keeps the process alive while jobs are open, because the worker
  // is unreferenced.
  const watch = (): void => {
    clearTimeout(timer)
    if (jobs.length > 0) timer = setTimeout(() => void expire(), patience)
  }
  worker.on('message', (message: WorkerMessage<Result>) => {
    const job = message.kind === 'ready' ? undefined : jobs.shift()
    isStarted = true
    watch()
    if (message.kind === 'done') job?.resolve(message.result)
    if (message.kind === 'failed') job?.reject(new Error(message.reason))
    settled()
  })
  worker.on('error', (error) => (problem = error))
  // Ends on `exit`, because all results have arrived by then.
  worker.on('exit', (code) => finish(problem ?? new Error(`the worker ended with exit code ${code}`)))
  worker.unref()
  return {
    count: () => jobs.length,
    give: (job) => {
      worker.postMessage(job.task)
      jobs.push(job)
      if (jobs.length === 1) watch()
    },
    takeJobs: () => {
      const taken = jobs.splice(0)
      watch()
      return taken
    },
    terminate: () => worker.terminate(),
  }
}
