/** Reads many files of the output folder for the checks of `--verify`: in this thread, or in worker threads. */
import { hashBytes } from '../state/manifest.ts'
import type { Output } from '../state/output/output.ts'
import { createOutput } from '../state/output/output.ts'
import type { Workers } from './task-workers.ts'

/** Results are in the order of the paths, which are relative to the output folder. */
export interface FileReader {
  /** Number of concurrent calls that keeps every thread busy. */
  readonly width: number
  /** Returns SHA-256 in hex; `null` where no regular file is. */
  readDigests(paths: readonly string[]): Promise<readonly (string | null)[]>
  /** Returns the addresses inside the site that each file refers to; none where no regular file is. */
  readReferences(paths: readonly string[]): Promise<readonly (readonly string[])[]>
}

/** A call of `FileReader`. Plain data. */
export type FileTask = readonly [name: 'readDigests' | 'readReferences', paths: readonly string[]]

type FileResults = Awaited<ReturnType<FileReader[FileTask[0]]>>

export type FileWorkers = Workers<FileTask, FileResults>

/** Reads in this thread. */
export function createFileReader(output: Pick<Output, 'read'>): FileReader {
  return {
    width: 1,
    readDigests: async (paths) =>
      paths.map((path) => {
        const bytes = output.read(path)
        return bytes && hashBytes(bytes)
      }),
    readReferences: async (paths) => {
      // Imported on demand: only these checks need the parsers.
      const { findReferences } = await import('./find-references.ts')
      const found: (readonly string[])[] = []
      for (const path of paths) {
        const bytes = output.read(path)
        found.push(bytes === null ? [] : await findReferences(path, new TextDecoder().decode(bytes)))
      }
      return found
    },
  }
}

/** In a worker. `folder` is the output folder. */
export async function runFileTask(folder: string, [name, paths]: FileTask): Promise<FileResults> {
  return createFileReader(createOutput(folder))[name](paths)
}

export interface ThreadedReader extends FileReader {
  close(): Promise<void>
}

export interface ReaderThreads {
  /** With one, everything is read in this thread. */
  readonly count: number
  start(): Promise<FileWorkers>
}

/** In files. Below it the threads would take longer to start than they save. */
const FEW = 1_000

/** Starts threads for what is more than a few files. A call that they fail to carry out is carried out in this thread. */
export function createThreadedReader(here: FileReader, { count, start }: ReaderThreads): ThreadedReader {
  let files = 0
  let workers: Promise<FileWorkers> | null = null
  const run = async <Result extends FileResults>(
    task: FileTask,
    runHere: () => Promise<Result>,
  ): Promise<Result> => {
    files += task[1].length
    if (count < 2 || files < FEW) return runHere()
    try {
      return (await (await (workers ??= start())).run(task)) as Result
    } catch {
      return runHere()
    }
  }
  return {
    // One running and one waiting call for each.
    width: count * 2,
    readDigests: (paths) => run(['readDigests', paths], () => here.readDigests(paths)),
    readReferences: (paths) => run(['readReferences', paths], () => here.readReferences(paths)),
    // Threads that could not be started need no end.
    close: async () => workers?.then(({ close }) => close()).catch(() => {}),
  }
}

/** In files. */
const BATCH = 32

/** Calls `visit` with batches of the items, `width` at a time, in no certain order. */
export async function visitBatches<T>(
  items: Iterable<T>,
  width: number,
  visit: (batch: readonly T[]) => Promise<void>,
): Promise<void> {
  const batches = divide(items)
  const visitNext = async (): Promise<void> => {
    for (const batch of batches) await visit(batch)
  }
  // After an error the others end before it is thrown.
  const ends = await Promise.allSettled(Array.from({ length: width }, visitNext))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

function* divide<T>(items: Iterable<T>): Generator<readonly T[]> {
  let batch: T[] = []
  for (const item of items) {
    batch.push(item)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
