/** A worker that reads files of the output folder for checks. */
import { workerData } from 'node:worker_threads'
import type { FileTask } from '../../rebuild/check/file-reader.ts'
import { runFileTask } from '../../rebuild/check/file-reader.ts'

// The first item is the pool's own data. Source: tinypool, `workerData`.
const [, folder] = workerData as [unknown, string]

export default function run(task: FileTask): ReturnType<typeof runFileTask> {
  return runFileTask(folder, task)
}
