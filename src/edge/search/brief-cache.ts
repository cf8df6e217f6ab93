/** Keeps answers of the search in memory for a few seconds, because the runtime's cache stores nothing at `workers.dev`. */

/** The methods of the runtime's cache that are used here. */
export type HostCache = Pick<Cache, 'match' | 'put'>

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

/** Returns a cache in front of `cache` that also keeps answers in memory. `now` returns milliseconds. */
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
      await keep(findAddress(key), response.clone())
      await cache.put(key, response)
    },
  }
}

function findAddress(key: RequestInfo | URL): string {
  return key instanceof Request ? key.url : String(key)
}
