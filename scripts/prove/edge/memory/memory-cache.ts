/** The runtime's cache in memory. Nothing expires by itself. */
import type { HostCache } from '../../../../src/edge/pages/page-cache.ts'

interface Entry {
  readonly body: ArrayBuffer
  readonly headers: readonly (readonly [string, string])[]
}

export function createMemoryCache(): HostCache {
  const entries = new Map<string, Entry>()
  return {
    match: async (key) => {
      const found = entries.get(String(key))
      if (found === undefined) return undefined
      return new Response(found.body.slice(0), {
        headers: found.headers.map(([name, value]): [string, string] => [name, value]),
      })
    },
    put: async (key, response) => {
      entries.set(String(key), { headers: [...response.headers], body: await response.arrayBuffer() })
    },
    delete: async (key) => entries.delete(String(key)),
  }
}
