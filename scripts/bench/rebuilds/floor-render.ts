/**
 * `node floor-render.ts <server> <snapshot>`: renders every catalogue on all cores, discards the pages, and prints the
 * time as JSON.
 */
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

const [server = '', snapshot = ''] = process.argv.slice(2)
const count = availableParallelism()
const workers = Array.from(
  { length: count },
  (_, index) =>
    new Worker(new URL('floor-worker.ts', import.meta.url), {
      workerData: { server, snapshot, index, count },
    }),
)
// The time starts once every worker has loaded its renderer.
await Promise.all(workers.map((worker) => once(worker, 'message')))
const start = performance.now()
for (const worker of workers) worker.postMessage('go', [])
await Promise.all(workers.map((worker) => once(worker, 'message')))
console.log(JSON.stringify({ ms: performance.now() - start }))
