/** The edge of a story in this process: thousands of stories in a minute. */
import { DatabaseSync } from 'node:sqlite'
import type { HostCache } from '../../../../src/edge/pages/page-cache.ts'
import { useDirectDigest } from '../direct-digest.ts'
import type { StoryEdge } from '../edge.ts'
import { createMemoryCache } from './memory-cache.ts'
import { createMemoryStore } from './memory-store.ts'
import type { StoryLedger } from './open-ledger.ts'
import { openStoryLedger } from './open-ledger.ts'
import { createStoryWorker } from '../story-worker.ts'
import { STORY_SITE } from '../stories/story-renderer.ts'
import { listKeys, MAX_AGE, EDGE_START } from '../world.ts'
import { openSql } from '../../open-sql.ts'

export async function openEdgeInMemory(): Promise<StoryEdge> {
  useDirectDigest()
  const database = new DatabaseSync(':memory:')
  let time = EDGE_START
  const ledger = openTwin(database, () => time)
  const caches = new Map<string, HostCache>()
  const worker = createStoryWorker({
    store: createMemoryStore(),
    keys: await listKeys(),
    origin: STORY_SITE.url,
    maxAge: MAX_AGE,
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

function openTwin(database: DatabaseSync, now: () => number): StoryLedger {
  return openStoryLedger(openSql(database), now, (work) => work())
}
