/** Reads half of a source in another thread. */
import { rmSync } from 'node:fs'
import type { MessagePort } from 'node:worker_threads'
import { Worker } from 'node:worker_threads'
import { batchItems } from '../../sources/batch-items.ts'
import { openFarHalf } from '../../sources/embedded/embedded-halves.ts'
import type { FarHalf } from '../../sources/source.ts'
import { openComparison } from '../../state/snapshot/open-snapshot.ts'
import type { SnapshotPart } from '../../state/snapshot/snapshot-part.ts'
import { writePart } from '../../state/snapshot/snapshot-part.ts'
import { readMessage } from '../../../domain/documents/errors.ts'

/** The task of the second reading thread. Plain data, because it is copied to that thread. */
export interface FarTask {
  readonly half: FarHalf
  /** The snapshot's file, if its entries are used to recognize unchanged documents; otherwise `null`. */
  readonly compared: string | null
  /** The file to which the thread writes its part of the snapshot. */
  readonly file: string
}

interface FarRead {
  /** Rejects with a `FarReadError` if the thread fails. */
  readonly part: Promise<SnapshotPart>
  /** Stops the thread, even if its read is not complete, and removes the file of the part. */
  end(): Promise<void>
}

/**
 * Starts reading `half` in another thread. With `isCompared`, documents whose entry in the snapshot is up to date are
 * not parsed.
 */
export type StartFar = (half: FarHalf, isCompared: boolean) => FarRead

/**
 * The other thread failed. The caller then reads everything in its own thread, which succeeds or shows what is wrong
 * with the source.
 */
export class FarReadError extends Error {
  override readonly name = 'FarReadError'
}

/** Starts the thread. `module` is the path of its code, which calls `runFarTask`. */
export function startFarRead(module: string, task: FarTask): FarRead {
  const worker = new Worker(module, { workerData: task })
  const { promise: part, resolve, reject } = Promise.withResolvers<SnapshotPart>()
  const fail = (why: string): void => reject(new FarReadError(`the other thread failed (${why})`))
  const failOnExit = (code: number): void => fail(`it ended with exit code ${code}`)
  worker.once('message', resolve)
  worker.once('error', (cause: unknown) => fail(readMessage(cause)))
  worker.once('exit', failOnExit)
  // Prevents an unhandled rejection. The caller that awaits `part` still gets the error.
  part.catch(() => {})
  const end = async (): Promise<void> => {
    worker.off('exit', failOnExit)
    await worker.terminate()
    rmSync(task.file, { force: true })
  }
  return { part, end }
}

/** Runs in the other thread. */
export async function runFarTask({ half, compared, file }: FarTask, port: MessagePort): Promise<void> {
  const source = openFarHalf(half)
  const comparison = compared === null ? null : openComparison(compared)
  try {
    const items = comparison === null ? source.readAll() : source.readModified(comparison.isUnchanged)
    port.postMessage(await writePart(file, batchItems(items)))
  } finally {
    comparison?.close()
    source.close()
  }
}
