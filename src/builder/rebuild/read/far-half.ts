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

/** Plain data. */
export interface FarTask {
  readonly half: FarHalf
  /** The snapshot's file, if its entries show which documents are unchanged. */
  readonly compared: string | null
  /** The file of the part to write. */
  readonly file: string
}

export interface FarRead {
  /** Rejects with a `FarReadError` if the thread fails. */
  readonly part: Promise<SnapshotPart>
  /** Removes the partial file. Also ends a read that is no longer awaited. */
  end(): Promise<void>
}

/** `isCompared`: entries of the snapshot may stay as they are. */
export type StartFar = (half: FarHalf, isCompared: boolean) => FarRead

/** The other thread failed. The source can be read without it, or then reports what is wrong with it. */
export class FarReadError extends Error {
  override readonly name = 'FarReadError'
}

/** Runs `runFarTask` in `module`. */
export function startFarRead(module: string, task: FarTask): FarRead {
  const worker = new Worker(module, { workerData: task })
  const { promise: part, resolve, reject } = Promise.withResolvers<SnapshotPart>()
  const fail = (why: string): void => reject(new FarReadError(`the other one failed (${why})`))
  const failOnExit = (code: number): void => fail(`it ended with ${code}`)
  worker.once('message', resolve)
  worker.once('error', (cause: unknown) => fail(readMessage(cause)))
  worker.once('exit', failOnExit)
  // The rejection reaches the caller that awaits it.
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
