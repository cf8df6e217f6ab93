/**
 * Splits the sellers of a large run over threads. Each thread reads, renders, compares and writes by itself, and
 * returns counts and failures.
 */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { PageKey } from '../../domain/documents/page-table.ts'
import type { Site } from '../../domain/pages/site.ts'
import type { PictureSetup } from '../pictures/open-pictures.ts'
import type { ListFacts } from './list-pages.ts'
import type { SiteWriter, Written } from './site-writer.ts'
import { joinWritten } from './site-writer.ts'

/** What a thread needs. Plain data. */
export interface ThreadSetup {
  /** Path of the state's file. */
  readonly state: string
  readonly output: string
  /** Folder of the compiled server. */
  readonly server: string
  readonly site: Site
  readonly maxProducts: number
  /** Paths of the files in the public folder. */
  readonly publicFiles: readonly string[]
  readonly pictures: PictureSetup
  readonly isWhole: boolean
  /** Number of the thread, from 1. */
  readonly thread: number
}

export type ThreadTask =
  | { readonly kind: 'sellers'; readonly sellers: readonly string[] }
  | { readonly kind: 'lists'; readonly keys: readonly PageKey[]; readonly facts: ListFacts }

export type ThreadMessage =
  | { readonly kind: 'progress'; readonly sellers: number }
  | { readonly kind: 'written'; readonly written: Written }
  /** `errcode` is that of SQLite; 0 for other errors. */
  | { readonly kind: 'failed'; readonly error: Error; readonly errcode: number }

/** Min sellers for which threads are started, because a thread loads code for some 100 ms. */
export const THREADS_FROM = 100
const MOST_THREADS = 4

/** Without limits, a thread keeps up to 250 MB before it collects garbage, and is no faster. */
const LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 }

/** Returns 1 if this machine has one core. */
export function countThreads(): number {
  return Math.min(MOST_THREADS, availableParallelism())
}

/** `module` is the file of render-thread.ts. */
export function startWriterThreads(module: string, setup: Omit<ThreadSetup, 'thread'>): SiteWriter {
  const threads = Array.from({ length: countThreads() }, (_, index) => {
    const workerData: ThreadSetup = { ...setup, thread: index + 1 }
    return createThread(new Worker(module, { workerData, resourceLimits: LIMITS }))
  })
  const share = async <Item>(
    items: readonly Item[],
    createTask: (part: readonly Item[]) => ThreadTask,
    progress: (count: number) => void = () => {},
  ): Promise<Written> => {
    const done = threads.map(() => 0)
    const written = threads.map((thread, index) => {
      const part = items.filter((_, position) => position % threads.length === index)
      return thread.run(createTask(part), (count) => {
        done[index] = count
        progress(done.reduce((sum, one) => sum + one, 0))
      })
    })
    return joinWritten(await Promise.all(written))
  }
  return {
    writeSellers: (all, progress) => share(all, (sellers) => ({ kind: 'sellers', sellers }), progress),
    writeLists: (all, facts) => share(all, (keys) => ({ kind: 'lists', keys, facts })),
    close: async () => void (await Promise.all(threads.map((thread) => thread.close()))),
  }
}

interface Thread {
  run(task: ThreadTask, progress: (sellers: number) => void): Promise<Written>
  close(): Promise<unknown>
}

function createThread(worker: Worker): Thread {
  // Ends the wait of the present task if the thread dies, for example because it lacks memory.
  const death = new Promise<never>((_, reject) => {
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`A thread that renders pages ended with code ${code}.`)))
  })
  death.catch(() => {})
  return {
    run: (task, progress) => {
      const written = new Promise<Written>((resolve, reject) => {
        const take = (message: ThreadMessage): void => {
          if (message.kind === 'progress') return progress(message.sellers)
          worker.off('message', take)
          if (message.kind === 'written') resolve(message.written)
          else reject(Object.assign(message.error, message.errcode === 0 ? {} : { errcode: message.errcode }))
        }
        worker.on('message', take)
      })
      worker.postMessage(task)
      return Promise.race([written, death])
    },
    close: () => worker.terminate(),
  }
}
