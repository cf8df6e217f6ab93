/** Keeps answers in memory for seconds, because the runtime's cache stores nothing at `workers.dev`. */
import { findEntry, SEARCH_PATH } from '../../domain/documents/page-table.ts'
import type { HostCache } from './page-cache.ts'

/**
 * Paths whose answers are kept: each answer costs calls of Durable Objects, and none is ever deleted. Pages are not
 * kept, because they may be deleted, and the memory of another isolate would not notice that.
 */
const KEPT: readonly string[] = [findEntry('state').address, SEARCH_PATH]

/** In ms. */
export const BRIEF_AGE = 3_000
/** Max entries. */
const MOST = 200

/** The bytes are kept, because a response belongs to the request that made it. */
interface Entry {
  readonly until: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: ArrayBuffer
}

/** `now` returns ms. */
export function createBriefCache(cache: HostCache, now: () => number): HostCache {
  const entries = new Map<string, Entry>()
  const keep = async (key: string, response: Response): Promise<void> => {
    const body = await response.arrayBuffer()
    entries.delete(key)
    entries.set(key, { until: now() + BRIEF_AGE, headers: [...response.headers], body })
    const [oldest] = entries.keys()
    if (entries.size > MOST && oldest !== undefined) entries.delete(oldest)
  }
  return {
    match: async (key) => {
      const entry = entries.get(findAddress(key))
      if (entry === undefined || now() >= entry.until) return cache.match(key)
      return new Response(entry.body, { headers: entry.headers.map(([name, value]) => [name, value]) })
    },
    put: async (key, response) => {
      const address = findAddress(key)
      if (KEPT.includes(new URL(address).pathname)) await keep(address, response.clone())
      await cache.put(key, response)
    },
    delete: async (key) => {
      entries.delete(findAddress(key))
      return cache.delete(key)
    },
  }
}

function findAddress(key: RequestInfo | URL): string {
  return key instanceof Request ? key.url : String(key)
}
