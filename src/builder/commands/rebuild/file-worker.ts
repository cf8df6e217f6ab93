/** A worker that reads files of the output folder for checks. */
import { workerData } from 'node:worker_threads'
import type { CheckedFile, FileTask } from '../../rebuild/check/file-reader.ts'
import { runFileTask } from '../../rebuild/check/file-reader.ts'
import { serveTasks } from '../../rebuild/render/serve-tasks.ts'

const folder = workerData as string

serveTasks<FileTask, readonly CheckedFile[]>((task) => runFileTask(folder, task))
