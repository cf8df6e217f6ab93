/** Runs the edge of a story in this process, which is fast enough for thousands of stories a minute. */
import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import type { HostCache } from '../../../../src/edge/pages/page-cache.ts'
import type { StoryEdge } from '../edge.ts'
import { createMemoryStore } from './memory-store.ts'
import { openStoryLedger } from './open-ledger.ts'
import { createStoryWorker } from '../story-worker.ts'
import { STORY_SITE } from '../stories/story-renderer.ts'
import { listKeys, STORY_MAX_AGE, EDGE_START } from '../world.ts'
import { openSql } from '../../../local/open-sql.ts'

export async function openEdgeInMemory(): Promise<StoryEdge> {
  useDirectDigest()
  const database = new DatabaseSync(':memory:')
  let time = EDGE_START
  const ledger = openStoryLedger(
    openSql(database),
    () => time,
    (work) => work(),
  )
  const caches = new Map<string, HostCache>()
  const worker = createStoryWorker({
    store: createMemoryStore(),
    keys: await listKeys(),
    origin: STORY_SITE.url,
    maxAge: STORY_MAX_AGE,
    openCache: async (center) => {
      const cache = caches.get(center) ?? createMemoryCache()
      caches.set(center, cache)
      return cache
    },
    openLedger: (now) => {
      time = now
      return ledger
    },
  })
  return {
    ...worker,
    crash: async () => caches.clear(),
    readWaiting: async (now) => {
      time = now
      return ledger.readWaiting()
    },
    close: async () => database.close(),
  }
}

/**
 * Replaces Web Crypto's digest with Node's synchronous one. The round trips of Web Crypto to other threads would take
 * most of the time of a story.
 */
function useDirectDigest(): void {
  const digest = async (name: AlgorithmIdentifier, data: BufferSource): Promise<ArrayBuffer> => {
    if (name !== 'SHA-256')
      throw new Error(`in stories, only digests by SHA-256 are supported, not by ${JSON.stringify(name)}`)
    const bytes = ArrayBuffer.isView(data)
      ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
      : new Uint8Array(data)
    return new Uint8Array(createHash('sha256').update(bytes).digest()).buffer
  }
  Object.defineProperty(crypto.subtle, 'digest', { value: digest, configurable: true })
}

interface Entry {
  readonly body: ArrayBuffer
  readonly headers: readonly (readonly [string, string])[]
}

/**
 * Creates a cache with the interface of the runtime's cache. Its entries do not expire, because the story decides which
 * entries a read finds.
 */
function createMemoryCache(): HostCache {
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
