/** Handles the builders' calls about the search index. */
import { createUpdate, MAX_LISTED } from '../../domain/search/search-index.ts'
import type {
  BegunAnswer,
  SEARCH_CALLS,
  SearchUpdateAnswer,
  UpdateCall,
} from '../../domain/wire/search-calls.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { readObjects } from '../objects/read-objects.ts'
import { refreshObjects } from '../search/feed-objects.ts'
import type { JoinedIndex } from '../search/join-shards.ts'
import type { Handlers } from './handlers.ts'
import { refuse } from './refuse.ts'

export interface IndexHost {
  readonly index: JoinedIndex
  /** `null` in lane `assets`. */
  readonly store: Pick<ObjectStore, 'get'> | null
}

export const SEARCH_HANDLERS: Handlers<IndexHost, typeof SEARCH_CALLS> = {
  begin: ({ index }) => begin(index),
  // In lane `objects` the index shows what the objects are, and nothing else.
  update: async ({ index, store }, call) => (store === null ? await updateIndex(index, call) : refuse(404)),
  refresh: async ({ index, store }, { names, since }) => {
    if (store === null) return refuse(404)
    const results = await refreshObjects(index, await readObjects(names, store), since)
    return { shards: index.shards.length, results }
  },
  readDigests: async ({ index }) => ({ ...(await begin(index)), buckets: await index.digestBuckets() }),
  listSellers: async ({ index }, { bucket, after }) => {
    const sellers = await index.openBucket(bucket).listSellers(bucket, after)
    return { sellers, next: sellers.length < MAX_LISTED ? null : (sellers.at(-1)?.seller ?? null) }
  },
  endComparison: async ({ index }, comparison) => {
    await index.noteCompared(comparison)
    return {}
  },
  clear: async ({ index }, { since }) => {
    await index.clear(since)
    return {}
  },
  readState: ({ index }) => index.readState(),
}

async function updateIndex(
  index: JoinedIndex,
  { sellers, ...kind }: UpdateCall,
): Promise<SearchUpdateAnswer> {
  const updates = await Promise.all(
    sellers.map(({ seller, entry, sequence }) => createUpdate(seller, entry, { sequence, ...kind })),
  )
  const outcomes = await index.update(updates)
  const results = updates.map(({ seller, sequence }, at) => ({
    seller,
    sequence,
    outcome: outcomes[at] ?? 'late',
  }))
  return { shards: index.shards.length, results }
}

async function begin(index: JoinedIndex): Promise<BegunAnswer> {
  return { shards: index.shards.length, ...(await index.begin()) }
}
