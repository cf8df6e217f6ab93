/** Compares files of the output folder with their rows in the record, in this thread or in worker threads. */
import { divide, inLanes } from '../../../domain/work/batches.ts'
import { hashBytes } from '../../state/manifest.ts'
import type { Output } from '../../state/output/output.ts'
import { createOutput } from '../../state/output/output.ts'
import type { FileRow } from '../../state/record/record.ts'
import type { Workers } from '../render/task-workers.ts'

/** The path of a file in the output folder, and the SHA-256 in hex that its bytes should have. */
type ExpectedFile = Pick<FileRow, 'path' | 'digest'>

/**
 * The paths of the site that a file refers to; empty if references were not requested. `null` if the file is missing,
 * is not a regular file, or has other bytes.
 */
export type CheckedFile = readonly string[] | null

export interface FileReader {
  /** Number of concurrent calls that keeps every thread busy. */
  readonly width: number
  /** Reads each file once. Results are in the order of the files. */
  check(files: readonly ExpectedFile[], withReferences: boolean): Promise<readonly CheckedFile[]>
}

/** The arguments of `FileReader.check`. Plain data, because they are sent to a worker thread. */
export type FileTask = Parameters<FileReader['check']>

export type FileWorkers = Workers<FileTask, readonly CheckedFile[]>

/** Creates a reader that works in the calling thread. */
export function createFileReader(output: Pick<Output, 'read'>): FileReader {
  return {
    width: 1,
    check: async (files, withReferences) => {
      // Imported on demand: only `--verify` needs the parsers.
      const parsers = withReferences ? await import('./find-references.ts') : null
      const checked: CheckedFile[] = []
      for (const { path, digest } of files) {
        const bytes = output.read(path)
        if (bytes === null || hashBytes(bytes) !== digest) checked.push(null)
        else if (parsers === null || !REFERRING.test(path)) checked.push([])
        else checked.push(await parsers.findReferences(path, new TextDecoder().decode(bytes)))
      }
      return checked
    },
  }
}

const REFERRING = /\.(html|js)$/

/** Runs in a worker. `folder` is the output folder. */
export async function runFileTask(folder: string, task: FileTask): Promise<readonly CheckedFile[]> {
  return createFileReader(createOutput(folder)).check(...task)
}

export interface ThreadedReader extends FileReader {
  close(): Promise<void>
}

interface ReaderThreads {
  /** Number of threads. With 1, the calling thread reads everything. */
  readonly threads: number
  start(): Promise<FileWorkers>
}

/** Min number of files for which threads save more time than they take to start. */
const FEW = 1_000

/** Starts threads once `FEW` files have been checked. If a call fails in the threads, the calling thread repeats it. */
export function createThreadedReader(here: FileReader, { threads, start }: ReaderThreads): ThreadedReader {
  let count = 0
  let workers: Promise<FileWorkers> | null = null
  return {
    // For each thread: one call that runs, and one that waits.
    width: threads * 2,
    check: async (...task) => {
      count += task[0].length
      if (threads < 2 || count < FEW) return here.check(...task)
      try {
        return await (await (workers ??= start())).run(task)
      } catch {
        return here.check(...task)
      }
    },
    // Ignores threads that failed to start, because there is nothing to close.
    close: async () => workers?.then(({ close }) => close()).catch(() => {}),
  }
}

/** Max items per batch. */
const BATCH = 32

/** Calls `visit` with batches of the items: `width` calls at a time, in no particular order. */
export async function visitBatches<T>(
  items: Iterable<T>,
  width: number,
  visit: (batch: readonly T[]) => Promise<void>,
): Promise<void> {
  await inLanes(divide(items, BATCH), width, visit)
}
