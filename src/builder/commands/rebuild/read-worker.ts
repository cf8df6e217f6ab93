/** A worker that reads half of a source. */
import { parentPort, workerData } from 'node:worker_threads'
import type { FarTask } from '../../rebuild/read/far-half.ts'
import { runFarTask } from '../../rebuild/read/far-half.ts'

if (parentPort !== null) await runFarTask(workerData as FarTask, parentPort)
