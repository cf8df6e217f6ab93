/** The worker's side of `createWorkers` (task-workers.ts). */
import { parentPort } from 'node:worker_threads'
import { readMessage } from '../../../domain/documents/errors.ts'

/** A message from a worker: first `ready`, then one for each task, in the order of the tasks. */
export type WorkerMessage<Result> =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: 'failed'; readonly reason: string }

/** Runs the tasks that the main thread sends, one after another. */
export function serveTasks<Task, Result>(carryOut: (task: Task) => Promise<Result>): void {
  const send = (message: WorkerMessage<Result>): void => parentPort?.postMessage(message)
  const serve = async (task: Task): Promise<void> => {
    try {
      send({ kind: 'done', result: await carryOut(task) })
    } catch (error) {
      send({ kind: 'failed', reason: readMessage(error) })
    }
  }
  let earlier = Promise.resolve()
  parentPort?.on('message', (task: Task) => (earlier = earlier.then(() => serve(task))))
  send({ kind: 'ready' })
}
