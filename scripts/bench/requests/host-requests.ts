/**
 * Child process of the request bench: hosts a bundled Worker and prints figures as JSON. Without `--sellers`, measures
 * only the first search, which must be the first work of the process.
 */
import { parseArgs } from 'node:util'
import { hostWorker } from './hosted-worker.ts'
import type { RequestFigure } from './measure-requests.ts'
import { measureRequests, ORIGIN } from './measure-requests.ts'

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`

async function measureFirst(): Promise<readonly RequestFigure[]> {
  const search = await worker.fetch(`${ORIGIN}/buscar?q=eau`)
  if (search.status !== 200)
    throw new Error(`the search answered with status ${search.status} instead of 200`)
  return [{ kind: 'the first search after a start', ...worker.readTimes() }]
}

const {
  bundle = '',
  sellers,
  rounds = '1',
} = parseArgs({
  options: { bundle: { type: 'string' }, sellers: { type: 'string' }, rounds: { type: 'string' } },
}).values
process.env['NODE_ENV'] = 'production'
// Makes Node load classes that it would otherwise load on first use, because Cloudflare's runtime loads them at its
// start.
await new Response('', { headers: { a: '' } }).text()
await crypto.subtle.digest('SHA-256', new Uint8Array(1))
const worker = await hostWorker(bundle, { REBUILD_SECRET: SECRET })
globalThis.fetch = (address, init) => worker.fetch(String(address), init)
const figures =
  sellers === undefined
    ? await measureFirst()
    : await measureRequests(worker, SECRET, { sellers: Number(sellers), rounds: Number(rounds) })
console.log(JSON.stringify(figures))
// Exits explicitly, because timers of the coordinator would keep the process running.
process.exit()
