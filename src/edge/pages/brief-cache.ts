/** Keeps answers in memory for a few seconds, because the runtime's cache stores nothing at `workers.dev`. */
import { findEntry, SEARCH_PATH } from '../../domain/documents/page-table.ts'
import type { HostCache } from './page-cache.ts'

/**
 * Paths whose answers are kept in memory, because each answer costs calls to Durable Objects. Pages are not kept: a put
 * deletes a catalogue from the cache, but could not delete it from the memory of other isolates.
 */
const KEPT: readonly string[] = [findEntry('state').address, SEARCH_PATH]

/** How long an answer is kept, in ms. */
export const BRIEF_AGE = 3_000
/** Max answers in memory. */
const MOST = 200
/** Max bytes of all bodies in memory. Sellers decide how long names are, so the number of answers is no bound. */
const MOST_BYTES = 8 * 1024 * 1024

/** Contains the bytes of the body instead of a `Response`, which only the request that created it can use. */
interface Entry {
  readonly until: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: ArrayBuffer
}

/**
 * Returns a cache in front of `cache` that also keeps answers for the paths in `KEPT` in memory. `now` returns
 * milliseconds.
 */
export function createBriefCache(cache: HostCache, now: () => number): HostCache {
  /** In the order in which the entries expire. */
  const entries = new Map<string, Entry>()
  let held = 0
  const drop = (address: string): void => {
    held -= entries.get(address)?.body.byteLength ?? 0
    entries.delete(address)
  }
  const makeRoom = (bytes: number): void => {
    for (const [oldest, { until }] of entries) {
      const isFull = entries.size >= MOST || held + bytes > MOST_BYTES
      if (!isFull && now() < until) return
      drop(oldest)
    }
  }
  const keep = async (address: string, response: Response): Promise<void> => {
    const body = await response.arrayBuffer()
    drop(address)
    makeRoom(body.byteLength)
    held += body.byteLength
    entries.set(address, { until: now() + BRIEF_AGE, headers: [...response.headers], body })
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
      drop(findAddress(key))
      return cache.delete(key)
    },
  }
}

function findAddress(key: RequestInfo | URL): string {
  return key instanceof Request ? key.url : String(key)
}
