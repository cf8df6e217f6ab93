/** Starts the search index on the local runtime, and creates a client for it. */
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { Agent, request as openRequest } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { findFreePort, startEdge } from '../../../src/builder/commands/local/local-edge.ts'
import type { SearchAnswer } from '../../../src/domain/pages/found-products.ts'
import type { SellerUpdate, UpdateOutcome } from '../../../src/domain/search/search-index.ts'

export interface BenchSearchSite {
  /** Throws unless the status is 200. */
  search(query: string): Promise<SearchAnswer>
  update(updates: readonly SellerUpdate[]): Promise<readonly UpdateOutcome[]>
  close(): Promise<void>
}

const WORKER = fileURLToPath(new URL('search-worker.ts', import.meta.url))

/** `folder` receives the configuration and the data. */
export async function startSearchSite(folder: string): Promise<BenchSearchSite> {
  const edge = await startEdge({
    port: await findFreePort(),
    serve: { configuration: writeConfiguration(folder) },
    state: join(folder, 'state'),
  })
  const agent = new Agent({ keepAlive: true })
  const call = (path: string, body?: string): Promise<unknown> => send(`${edge.origin}${path}`, agent, body)
  return {
    search: async (query) => (await call(`/?q=${encodeURIComponent(query)}`)) as SearchAnswer,
    update: async (updates) => (await call('/', JSON.stringify(updates))) as readonly UpdateOutcome[],
    close: () => {
      agent.destroy()
      return edge.close()
    },
  }
}

function writeConfiguration(folder: string): string {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'wrangler.json')
  const configuration = {
    name: 'vitrina-search-bench',
    main: WORKER,
    compatibility_date: '2026-11-01',
    durable_objects: { bindings: [{ name: 'SEARCH', class_name: 'SearchShard' }] },
    migrations: [{ tag: 'v1', new_sqlite_classes: ['SearchShard'] }],
  }
  writeFileSync(path, JSON.stringify(configuration))
  return path
}

async function send(address: string, agent: Agent, body?: string): Promise<unknown> {
  const request = openRequest(address, { agent, method: body === undefined ? 'GET' : 'POST' })
  request.end(body)
  const [response] = await once(request, 'response')
  if (response.statusCode !== 200)
    throw new Error(`the search Worker answered with status ${response.statusCode} instead of 200`)
  return json(response)
}
